//! How values are read.

use crate::field::{Field, Object};

/// How a field's value is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The object itself; its record gives its size.
    Whole,
    /// An integer without sign, of 1, 2, 4 or 8 bytes; a truth value is 0 or 1.
    Unsigned,
    /// An integer in two's complement.
    Signed,
    /// Bits of a word, which is an integer with or without sign.
    Bits,
    /// An address of the program: code, a stack frame, a lock; 0 for none.
    Address,
    /// The address of an object; 0 for none.
    Pointer(Object),
    /// The address of the first object of a list; the next one's is in this field of each; 0 ends
    /// it.
    List(Object, Field),
    /// The address of an array of addresses of objects, as many as that field of the same object
    /// says.
    Array(Object, Field),
    /// Address and number of elements, two words: numbers without sign.
    Slice,
    /// Address and number of elements, two words: objects one after the other.
    SliceOf(Object),
    /// The address of text that ends with a zero byte; 0 for none.
    Text,
    /// An object that lies within this one.
    Embedded(Object),
}

impl Shape {
    /// The number of the encoding in a record.
    pub const fn number(self) -> u8 {
        match self {
            Shape::Whole => 1,
            Shape::Unsigned => 2,
            Shape::Signed => 3,
            Shape::Address => 4,
            Shape::Pointer(_) => 5,
            Shape::List(..) => 6,
            Shape::Array(..) => 7,
            Shape::Slice => 8,
            Shape::SliceOf(_) => 9,
            Shape::Text => 10,
            Shape::Embedded(_) => 11,
            Shape::Bits => 12,
        }
    }

    /// The kind of object that it leads to.
    pub const fn target(self) -> Option<Object> {
        match self {
            Shape::Pointer(object)
            | Shape::List(object, _)
            | Shape::Array(object, _)
            | Shape::SliceOf(object)
            | Shape::Embedded(object) => Some(object),
            _ => None,
        }
    }

    /// The field that leads on: to the next in a list, to the number of elements of an array.
    pub const fn link(self) -> Option<Field> {
        match self {
            Shape::List(_, link) | Shape::Array(_, link) => Some(link),
            _ => None,
        }
    }
}
