//! The macro that defines C structures by their layouts.

/// Defines a record with its fields at these offsets, and its size.
macro_rules! c_record {
    (
        $(#[$about:meta])* $name:ident: $size:literal bytes {
            $($(#[$doc:meta])* $field:ident: $type:ty = $offset:literal,)*
        }
    ) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        const _: () = {
            assert!(::core::mem::size_of::<$name>() == $size);
            $(assert!(::core::mem::offset_of!($name, $field) == $offset);)*
        };
    };
}
