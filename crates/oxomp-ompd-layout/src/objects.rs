//! The macro that makes the types of objects and fields from their table.

/// `Object = NUMBER { Field = NUMBER: shape; … }` for each object, with comments. The types are
/// `Object` and `Field`; a field's number has its object's number in the high byte.
macro_rules! objects {
    ($(
        $(#[$object_doc:meta])*
        $object:ident = $object_number:literal {
            $($(#[$field_doc:meta])* $field:ident = $number:literal: $shape:expr;)*
        }
    )*) => {
        /// A kind of object.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Object {
            $($(#[$object_doc])* $object = $object_number,)*
        }

        impl Object {
            /// Every kind.
            pub const ALL: &[Object] = &[$(Object::$object),*];

            /// The field that stands for the object itself.
            pub const fn whole(self) -> Field {
                match self {
                    $(Object::$object => Field::$object,)*
                }
            }

            /// The kind of this number.
            pub fn from_number(number: u8) -> Option<Object> {
                Object::ALL.iter().copied().find(|object| *object as u8 == number)
            }
        }

        /// A field of an object.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Field {
            $(
                $(#[$object_doc])*
                $object = $object_number << 8,
                $($(#[$field_doc])* $field = $object_number << 8 | $number,)*
            )*
        }

        impl Field {
            /// Every field.
            pub const ALL: &[Field] = &[$(Field::$object, $(Field::$field,)*)*];

            /// How its value is to be read.
            pub const fn shape(self) -> Shape {
                match self {
                    $(Field::$object => Shape::Whole, $(Field::$field => $shape,)*)*
                }
            }

            /// The object that has it.
            pub const fn object(self) -> Object {
                match self {
                    $(Field::$object $(| Field::$field)* => Object::$object,)*
                }
            }

            /// The field of this number; `None` for one that a newer runtime has.
            pub fn from_number(number: u16) -> Option<Field> {
                Field::ALL.iter().copied().find(|field| *field as u16 == number)
            }
        }
    };
}

pub(crate) use objects;
