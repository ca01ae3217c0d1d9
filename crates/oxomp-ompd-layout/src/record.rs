//! The record of a field in the table, and how a structure states its fields.

use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;
use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    AtomicUsize,
};

use crate::field::{Field, Object};
use crate::shape::Shape;

/// One field of the table, as it lies in memory, in the runtime's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// [`Field`].
    pub(crate) field: u16,
    /// [`Shape::number`].
    pub(crate) encoding: u8,
    /// [`Object`] that it leads to; 0 for none.
    pub(crate) target: u8,
    /// Bytes from the beginning of the object.
    pub(crate) offset: u32,
    /// Bytes of the value; of a packed word, those of the word.
    pub(crate) size: u32,
    /// The lowest bit of the value in a packed word.
    pub(crate) bit: u8,
    /// Bits of the value in a packed word; 0 if it is the whole word.
    pub(crate) bits: u8,
    /// Lists and arrays: the [`Field`] that leads on. Slices: bytes of an element.
    pub(crate) link: u16,
}

const _: () = assert!(size_of::<Record>() == 16, "the format has records of 16 bytes");

impl Record {
    /// The record of a structure as a whole, `size` bytes.
    pub const fn whole(object: Object, size: usize) -> Record {
        Record::new(object.whole(), 0, size, Kind::Structure)
    }

    /// The record of `field`, `offset` bytes into its structure, whose Rust field `access` shows.
    pub const fn of<T, F: Readable>(field: Field, offset: usize, access: fn(&T) -> &F) -> Record {
        let _ = access;
        assert!(offset + size_of::<F>() <= size_of::<T>());
        Record::new(field, offset, size_of::<F>(), F::KIND)
    }

    /// The record of `field`, an object that lies `offset` bytes into its structure and has fields
    /// of its own, as `access` shows.
    pub const fn embedded<T, F>(field: Field, offset: usize, access: fn(&T) -> &F) -> Record {
        let _ = access;
        assert!(offset + size_of::<F>() <= size_of::<T>());
        Record::new(field, offset, size_of::<F>(), Kind::Structure)
    }

    /// This record restricted to `bits` bits of its word, the lowest of which is `bit`.
    pub const fn packed(self, bit: u8, bits: u8) -> Record {
        assert!(self.encoding == Shape::Bits.number(), "the field is no bits of a word");
        assert!(bits > 0 && bit as u32 + bits as u32 <= self.size * 8);
        Record { bit, bits, ..self }
    }

    const fn new(field: Field, offset: usize, size: usize, kind: Kind) -> Record {
        let shape = field.shape();
        let element = match (shape, kind) {
            (Shape::Unsigned, Kind::Unsigned)
            | (Shape::Signed, Kind::Signed)
            | (Shape::Bits, Kind::Unsigned | Kind::Signed)
            | (Shape::Whole | Shape::Embedded(_), Kind::Structure)
            | (
                Shape::Address
                | Shape::Text
                | Shape::Pointer(_)
                | Shape::List(..)
                | Shape::Array(..),
                Kind::Pointer,
            ) => 0,
            (Shape::Slice | Shape::SliceOf(_), Kind::Slice { element }) => element,
            _ => panic!("the field's Rust type is not what its id stands for"),
        };
        let target = match shape.target() {
            Some(object) => object as u8,
            None => 0,
        };
        let link = match shape.link() {
            Some(field) => field as u16,
            None => element,
        };
        assert!(offset <= u32::MAX as usize && size <= u32::MAX as usize);
        Record {
            field: field as u16,
            encoding: shape.number(),
            target,
            offset: offset as u32,
            size: size as u32,
            bit: 0,
            bits: 0,
            link,
        }
    }
}

/// How a debugger can read a Rust type, as far as its layout is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer without sign, or a truth value.
    Unsigned,
    /// An integer with sign.
    Signed,
    /// One word that is an address; null for none.
    Pointer,
    /// Address and number of elements, two words in this order.
    Slice {
        /// Bytes of an element.
        element: u16,
    },
    /// A structure with fields of its own.
    Structure,
}

/// A type whose layout the language, or its `repr`, defines: one that a debugger can read.
pub trait Readable {
    /// How a debugger reads a value of the type.
    const KIND: Kind;
}

macro_rules! readable {
    ($($ty:ty => $kind:ident;)*) => {
        $(impl Readable for $ty {
            const KIND: Kind = Kind::$kind;
        })*
    };
}

readable! {
    bool => Unsigned;
    u8 => Unsigned;
    u16 => Unsigned;
    u32 => Unsigned;
    u64 => Unsigned;
    usize => Unsigned;
    i8 => Signed;
    i16 => Signed;
    i32 => Signed;
    i64 => Signed;
    isize => Signed;
    AtomicBool => Unsigned;
    AtomicU8 => Unsigned;
    AtomicU16 => Unsigned;
    AtomicU32 => Unsigned;
    AtomicU64 => Unsigned;
    AtomicUsize => Unsigned;
    AtomicI32 => Signed;
    AtomicI64 => Signed;
}

impl<T: Readable> Readable for Cell<T> {
    const KIND: Kind = T::KIND;
}

impl<T: Readable> Readable for UnsafeCell<T> {
    const KIND: Kind = T::KIND;
}

impl<T: Readable> Readable for MaybeUninit<T> {
    const KIND: Kind = T::KIND;
}

impl<T> Readable for *const T {
    const KIND: Kind = Kind::Pointer;
}

impl<T> Readable for *mut T {
    const KIND: Kind = Kind::Pointer;
}

impl<T> Readable for AtomicPtr<T> {
    const KIND: Kind = Kind::Pointer;
}

impl<T> Readable for &'static T {
    const KIND: Kind = Kind::Pointer;
}

/// A type that is one word, an address; the `None` of its `Option` is null.
pub trait Nullable: Readable {}

impl<T> Nullable for &'static T {}

impl<T: Nullable> Readable for Option<T> {
    const KIND: Kind = T::KIND;
}

/// The records of a structure, as a constant expression: a slice of [`Record`].
///
/// ```
/// use oxomp_ompd_layout::{Record, fields};
///
/// struct Place {
///     flags: u32,
///     words: Words,
/// }
/// # #[repr(C)]
/// # struct Words(*const u64, usize);
/// # impl oxomp_ompd_layout::Readable for Words {
/// #     const KIND: oxomp_ompd_layout::Kind = oxomp_ompd_layout::Kind::Slice { element: 8 };
/// # }
///
/// const FIELDS: &[Record] = fields!(Place {
///     words => PlaceProcessors,
/// });
/// # assert_eq!(FIELDS.len(), 2);
/// ```
///
/// `path.to.field => Id` states a field, `path.to.field[3; 1] => Id` one bit of it, the fourth.
#[macro_export]
macro_rules! fields {
    ($owner:ident { $($($path:ident).+ $([$bit:literal; $bits:literal])? => $field:ident),* $(,)? }) => {
        $crate::fields!($owner as $owner {
            $($($path).+ $([$bit; $bits])? => $field),*
        })
    };
    ($owner:ident as $object:ident {
        $($($path:ident).+ $([$bit:literal; $bits:literal])? => $field:ident),* $(,)?
    }) => {
        &[
            $crate::Record::whole($crate::Object::$object, size_of::<$owner>()),
            $({
                let record = $crate::Record::of::<$owner, _>(
                    $crate::Field::$field,
                    core::mem::offset_of!($owner, $($path).+),
                    |owner| &owner.$($path).+,
                );
                $(let record = record.packed($bit, $bits);)?
                record
            },)*
        ]
    };
}
