//! The table as a reader sees it: decoded, and checked before any of it is used.

use core::fmt;
use std::collections::BTreeMap;

use crate::field::{Field, Object};
use crate::shape::Shape;
use crate::{BYTE_ORDER, MAGIC, VERSION};

/// The most records of a valid table, which bounds the bytes that a reader fetches.
const MOST_RECORDS: u32 = 1 << 12;
/// The most bytes of a valid record.
const LARGEST_RECORD: u32 = 1 << 10;
/// The most bytes of a valid header.
const LARGEST_HEADER: u32 = 1 << 12;
/// The most bytes of a valid object, which bounds the bytes that a reader fetches of each.
const LARGEST_OBJECT: u32 = 1 << 20;

/// Bytes of a record that this version knows; a newer one's may be longer.
const RECORD_BYTES: usize = 16;

/// Why a table, or a field of it, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// The bytes do not begin with the table's magic.
    NoTable,
    /// The table's version is one that this reader does not know.
    Version(u16),
    /// The table names words of this number of bytes, which no machine has.
    WordSize(u8),
    /// The table ends before its records do, or names impossible sizes.
    Sizes,
    /// The record of this field is impossible.
    Record(Field),
    /// The runtime does not have the field, or its value is not of the kind that was asked for.
    Missing(Field),
    /// The object that was given is too short for the field.
    Short(Field),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTable => f.write_str("no table of the runtime's layout"),
            Self::Version(version) => {
                write!(f, "layout version {version}, known is {VERSION}")
            }
            Self::WordSize(size) => write!(f, "words of {size} bytes"),
            Self::Sizes => f.write_str("the layout table's sizes cannot be"),
            Self::Record(field) => write!(f, "the layout of {field:?} cannot be"),
            Self::Missing(field) => write!(f, "the runtime's layout has no {field:?}"),
            Self::Short(field) => write!(f, "the object is too short for {field:?}"),
        }
    }
}

impl core::error::Error for LayoutError {}

/// The beginning of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    swapped: bool,
    word_size: u8,
    header_size: u32,
    record_size: u32,
    count: u32,
    /// Where the object [`Object::Process`] lies.
    pub process: u64,
}

impl Header {
    /// Bytes to read for `decode`: no table with a record is shorter.
    pub const BYTES: usize = 40;

    /// Reads the header from the table's first bytes, [`Header::BYTES`] of them at least, and the
    /// address of the process from the eight bytes at 32, or four.
    ///
    /// # Errors
    /// The bytes are not a table, or not one that this version can read.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        if bytes.get(..8) != Some(&MAGIC[..]) {
            return Err(LayoutError::NoTable);
        }
        let swapped = match number(bytes, 8, 4, false).ok_or(LayoutError::NoTable)? {
            order if order == u64::from(BYTE_ORDER) => false,
            order if order == u64::from(BYTE_ORDER.swap_bytes()) => true,
            _ => return Err(LayoutError::NoTable),
        };
        let read = |at, size| number(bytes, at, size, swapped).ok_or(LayoutError::Sizes);
        let version = read(12, 2)? as u16;
        if version != VERSION {
            return Err(LayoutError::Version(version));
        }
        let word_size = read(14, 1)? as u8;
        if !matches!(word_size, 4 | 8) {
            return Err(LayoutError::WordSize(word_size));
        }
        let (header_size, record_size) = (read(16, 4)? as u32, read(20, 4)? as u32);
        let count = read(24, 4)? as u32;
        let process = read(32, usize::from(word_size))?;
        let least = 32 + u32::from(word_size);
        if !(least..=LARGEST_HEADER).contains(&header_size)
            || !(RECORD_BYTES as u32..=LARGEST_RECORD).contains(&record_size)
            || count > MOST_RECORDS
        {
            return Err(LayoutError::Sizes);
        }
        Ok(Header { swapped, word_size, header_size, record_size, count, process })
    }

    /// Bytes of the whole table.
    pub fn table_size(&self) -> usize {
        self.header_size as usize + self.count as usize * self.record_size as usize
    }

    /// Bytes of an address.
    pub fn word_size(&self) -> usize {
        usize::from(self.word_size)
    }
}

/// A number of `size` bytes, 1 to 8; `None` where `bytes` end before it.
fn number(bytes: &[u8], at: usize, size: usize, swapped: bool) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    let is_big = cfg!(target_endian = "big") != swapped;
    let place = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    Some(match is_big {
        true => bytes.iter().fold(0, place),
        false => bytes.iter().rev().fold(0, place),
    })
}

/// Where a field lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    offset: u32,
    size: u32,
    bit: u8,
    bits: u8,
    element: u16,
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer without sign.
    Unsigned(u64),
    /// An integer with sign.
    Signed(i64),
    /// An address, 0 for none: of an object, of the first in a list, of an array, of text, of code.
    Address(u64),
    /// An address, and how many elements of how many bytes lie there.
    Slice {
        /// Address of the first.
        address: u64,
        /// How many there are.
        length: u64,
        /// Bytes of each.
        element: u16,
    },
}

/// The place of every field, as the runtime's table has it.
#[derive(Clone, Debug)]
pub struct Layout {
    header: Header,
    places: BTreeMap<Field, Place>,
}

impl Layout {
    /// Reads a whole table. Fields of a newer runtime that this version does not know are left out.
    ///
    /// # Errors
    /// The bytes are not a table; or a field would lie outside of its object, is not encoded as its
    /// id says, or has two records.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        let header = Header::decode(bytes)?;
        let mut layout = Layout { header, places: BTreeMap::new() };
        let records = bytes.get(header.header_size as usize..header.table_size());
        for record in records.ok_or(LayoutError::Sizes)?.chunks(header.record_size as usize) {
            layout.add(record)?;
        }
        for (&field, place) in &layout.places {
            let size = layout.size_of(field.object()).ok_or(LayoutError::Record(field))?;
            let end = u64::from(place.offset) + u64::from(place.size);
            if end > size as u64 {
                return Err(LayoutError::Record(field));
            }
        }
        Ok(layout)
    }

    fn add(&mut self, record: &[u8]) -> Result<(), LayoutError> {
        let read =
            |at, size| number(record, at, size, self.header.swapped).ok_or(LayoutError::Sizes);
        let Some(field) = Field::from_number(read(0, 2)? as u16) else { return Ok(()) };
        let wrong = LayoutError::Record(field);
        let (encoding, target) = (read(2, 1)? as u8, read(3, 1)? as u8);
        let (offset, size) = (read(4, 4)? as u32, read(8, 4)? as u32);
        let (bit, bits, link) = (read(12, 1)? as u8, read(13, 1)? as u8, read(14, 2)? as u16);
        let shape = field.shape();
        let word = u32::from(self.header.word_size);
        let size_fits = match shape {
            Shape::Whole => (1..=LARGEST_OBJECT).contains(&size) && offset == 0,
            Shape::Embedded(_) => size <= LARGEST_OBJECT,
            Shape::Unsigned | Shape::Signed | Shape::Bits => matches!(size, 1 | 2 | 4 | 8),
            Shape::Slice | Shape::SliceOf(_) => size == 2 * word && link != 0,
            _ => size == word,
        };
        let link_fits = match shape.link() {
            Some(field) => link == field as u16,
            None => link == 0 || matches!(shape, Shape::Slice | Shape::SliceOf(_)),
        };
        let bits_fit = match shape {
            Shape::Bits => bits == 0 || u32::from(bit) + u32::from(bits) <= size.saturating_mul(8),
            _ => bits == 0,
        };
        let is_known = encoding == shape.number()
            && target == shape.target().map_or(0, |object| object as u8)
            && link_fits;
        if !is_known || !size_fits || !bits_fit {
            return Err(wrong);
        }
        let element = if matches!(shape, Shape::Slice | Shape::SliceOf(_)) { link } else { 0 };
        match self.places.insert(field, Place { offset, size, bit, bits, element }) {
            None => Ok(()),
            Some(_) => Err(wrong),
        }
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of an object; `None` if the runtime has none of the kind.
    pub fn size_of(&self, object: Object) -> Option<usize> {
        self.places.get(&object.whole()).map(|place| place.size as usize)
    }

    /// Whether the runtime has the field.
    pub fn has(&self, field: Field) -> bool {
        self.places.contains_key(&field)
    }

    /// Bytes from the beginning of its object to the field, and those that it takes.
    ///
    /// # Errors
    /// The runtime does not have the field.
    pub fn extent(&self, field: Field) -> Result<(usize, usize), LayoutError> {
        let place = self.places.get(&field).ok_or(LayoutError::Missing(field))?;
        Ok((place.offset as usize, place.size as usize))
    }

    /// The value of a field in its object's bytes, which may go on behind the object.
    ///
    /// # Errors
    /// The runtime does not have the field, it is an object of its own, or `object` is too short.
    pub fn value(&self, object: &[u8], field: Field) -> Result<Value, LayoutError> {
        let (offset, size) = self.extent(field)?;
        let bytes = object.get(offset..offset + size).ok_or(LayoutError::Short(field))?;
        self.value_of(bytes, field)
    }

    /// The value of a field in the bytes of its extent.
    ///
    /// # Errors
    /// The runtime does not have the field, it is an object of its own, or `bytes` are too few.
    pub fn value_of(&self, bytes: &[u8], field: Field) -> Result<Value, LayoutError> {
        let place = self.places.get(&field).ok_or(LayoutError::Missing(field))?;
        let word = self.header.word_size();
        let read = |at, size| {
            number(bytes, at, size, self.header.swapped).ok_or(LayoutError::Short(field))
        };
        Ok(match field.shape() {
            Shape::Whole | Shape::Embedded(_) => return Err(LayoutError::Missing(field)),
            Shape::Unsigned | Shape::Bits => {
                Value::Unsigned(place.unpack(read(0, place.size as usize)?))
            }
            Shape::Signed => {
                let unused = 64 - place.size * 8;
                let value = read(0, place.size as usize)?;
                Value::Signed((value << unused).cast_signed() >> unused)
            }
            Shape::Slice | Shape::SliceOf(_) => Value::Slice {
                address: read(0, word)?,
                length: read(word, word)?,
                element: place.element,
            },
            _ => Value::Address(read(0, word)?),
        })
    }

    /// A word, an address, as it lies in the process's memory.
    pub fn word(&self, bytes: &[u8]) -> Option<u64> {
        number(bytes, 0, self.header.word_size(), self.header.swapped)
    }

    /// A number of `bytes.len()` bytes, 1 to 8, as it lies in the process's memory.
    pub fn number(&self, bytes: &[u8]) -> Option<u64> {
        if !(1..=8).contains(&bytes.len()) {
            return None;
        }
        number(bytes, 0, bytes.len(), self.header.swapped)
    }
}

impl Place {
    fn unpack(self, word: u64) -> u64 {
        match self.bits {
            0 => word,
            bits => word >> self.bit & (u64::MAX >> (64 - u32::from(bits))),
        }
    }
}
