//! The macros that define C enumerations: values in a transparent integer, with their C names.

/// Defines an enumeration: `NAME = value => c"c_name"` per enumerator.
macro_rules! c_enum {
    ($(#[$meta:meta])* pub struct $name:ident($repr:ty); $($items:tt)*) => {
        c_values! {
            $(#[$meta])*
            #[derive(Debug)]
            pub struct $name($repr);
            $($items)*
        }
    };
}

/// Defines the type, and the names of its values.
macro_rules! c_values {
    (
        $(#[$meta:meta])*
        pub struct $name:ident($repr:ty);
        $($(#[$item_meta:meta])* $item:ident = $value:expr => $c_name:literal,)*
    ) => {
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $repr);

        impl $name {
            $($(#[$item_meta])* pub const $item: Self = Self($value);)*

            /// Every named value with its name in C, in the order of the specification.
            pub const NAMES: &'static [(Self, &'static ::core::ffi::CStr)] =
                &[$((Self::$item, $c_name),)*];

            /// The name this value has in C, if it has one.
            pub const fn name(self) -> Option<&'static ::core::ffi::CStr> {
                let mut at = 0;
                while at < Self::NAMES.len() {
                    if Self::NAMES[at].0.0 == self.0 {
                        return Some(Self::NAMES[at].1);
                    }
                    at += 1;
                }
                None
            }
        }
    };
}

/// Defines a set of flags: an enumeration whose values can be or-ed. It prints its flags by their
/// names in C, without the prefix that all of them have: `implicit|undeferred`.
macro_rules! c_flags {
    (
        $(#[$meta:meta])*
        pub struct $name:ident($repr:ty);
        $($(#[$item_meta:meta])* $item:ident = $value:expr => $c_name:literal,)*
    ) => {
        c_values! {
            $(#[$meta])*
            pub struct $name($repr);
            $($(#[$item_meta])* $item = $value => $c_name,)*
        }

        impl $name {
            /// No flag set.
            pub const NONE: Self = Self(0);

            /// Whether every bit of `other` is set in `self`.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// The bits of both; `|` in constant expressions.
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let names = Self::NAMES.iter().map(|(flag, name)| (flag.0, *name));
                $crate::flag_names::write(f, self.0, names)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }

        impl ::core::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                self.union(other)
            }
        }
    };
}
