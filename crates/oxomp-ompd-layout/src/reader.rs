//! Reading a process through its layout: fields of objects, lists, arrays, text.
//!
//! The reader trusts nothing that it reads: addresses may lead anywhere, lists may be circular,
//! lengths may be any number. Each of these ends in an error, and every walk is bounded.

use core::fmt;
use std::collections::BTreeSet;

use crate::field::{Field, Object};
use crate::layout::{Header, Layout, LayoutError, Value};
use crate::shape::Shape;

/// The memory of a process, or of a core file.
pub trait Memory {
    /// Reads `buffer.len()` bytes at `address`. Returns whether all of them could be read.
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool;
}

/// Why something could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The layout is invalid, or does not describe the field.
    Layout(LayoutError),
    /// The memory at this address cannot be read.
    Memory(u64),
    /// The field leads to no object now.
    Nothing(Field),
    /// The field's value cannot be: a list in a circle, or more elements than there can be.
    Impossible(Field),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(error) => error.fmt(f),
            Self::Memory(address) => write!(f, "memory at {address:#x} cannot be read"),
            Self::Nothing(field) => write!(f, "{field:?} leads to nothing"),
            Self::Impossible(field) => write!(f, "{field:?} has a value that cannot be"),
        }
    }
}

impl core::error::Error for ReadError {}

impl From<LayoutError> for ReadError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

/// The most elements of a list, array or slice, and the most bytes of a text.
const MOST: u64 = 1 << 20;

/// A process that can be read.
#[derive(Debug)]
pub struct Reader<M> {
    memory: M,
    layout: Layout,
}

impl<M: Memory> Reader<M> {
    /// Reads the layout table at `table`, the address of [`SYMBOL`](crate::SYMBOL).
    ///
    /// # Errors
    /// There is no table that this version can read.
    pub fn new(memory: M, table: u64) -> Result<Self, ReadError> {
        let mut header = [0; Header::BYTES];
        fetch(&memory, table, &mut header)?;
        let mut bytes = vec![0; Header::decode(&header)?.table_size()];
        fetch(&memory, table, &mut bytes)?;
        let layout = Layout::decode(&bytes)?;
        Ok(Reader { memory, layout })
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// The address of the object [`Object::Process`].
    pub fn process(&self) -> u64 {
        self.layout.header().process
    }

    /// The value of `field` of the object at `object`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn value(&self, object: u64, field: Field) -> Result<Value, ReadError> {
        let (offset, size) = self.layout.extent(field)?;
        let mut bytes = vec![0; size];
        fetch(&self.memory, object.wrapping_add(offset as u64), &mut bytes)?;
        Ok(self.layout.value_of(&bytes, field)?)
    }

    /// A number, or an address as one. A negative number comes as two's complement.
    ///
    /// # Errors
    /// It cannot be read, or is a slice or an object.
    pub fn number(&self, object: u64, field: Field) -> Result<u64, ReadError> {
        match self.value(object, field)? {
            Value::Unsigned(number) | Value::Address(number) => Ok(number),
            Value::Signed(number) => Ok(number.cast_unsigned()),
            Value::Slice { .. } => Err(LayoutError::Missing(field).into()),
        }
    }

    /// A number with its sign.
    ///
    /// # Errors
    /// It cannot be read, or is a slice or an object.
    pub fn signed(&self, object: u64, field: Field) -> Result<i64, ReadError> {
        Ok(self.number(object, field)?.cast_signed())
    }

    /// The object that `field` leads to, or that lies within; `None` if it leads nowhere.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn follow(&self, object: u64, field: Field) -> Result<Option<u64>, ReadError> {
        if let Shape::Embedded(_) = field.shape() {
            let (offset, _) = self.layout.extent(field)?;
            return Ok(Some(object.wrapping_add(offset as u64)));
        }
        let address = self.number(object, field)?;
        Ok((address != 0).then_some(address))
    }

    /// The object that `field` leads to, or that lies within, where there must be one.
    ///
    /// # Errors
    /// It cannot be read, or leads nowhere.
    pub fn object(&self, object: u64, field: Field) -> Result<u64, ReadError> {
        self.follow(object, field)?.ok_or(ReadError::Nothing(field))
    }

    /// The objects of a list, of an array, or of a slice of objects.
    ///
    /// # Errors
    /// They cannot be read, the array is not there at the moment, or the list goes in a circle.
    pub fn objects(&self, object: u64, field: Field) -> Result<Vec<u64>, ReadError> {
        match field.shape() {
            Shape::List(_, next) => self.list(object, field, next),
            Shape::Array(_, count) => {
                let count = self.number(object, count)?;
                if count > MOST {
                    return Err(ReadError::Impossible(field));
                }
                let word = self.layout.header().word_size();
                let mut bytes = vec![0; count as usize * word];
                fetch(&self.memory, self.object(object, field)?, &mut bytes)?;
                Ok(bytes.chunks(word).filter_map(|bytes| self.layout.word(bytes)).collect())
            }
            Shape::SliceOf(_) => {
                let (address, length, element) = self.slice(object, field)?;
                let step = u64::from(element);
                Ok((0..length).map(|index| address.wrapping_add(index * step)).collect())
            }
            _ => Err(LayoutError::Missing(field).into()),
        }
    }

    fn list(&self, object: u64, head: Field, next: Field) -> Result<Vec<u64>, ReadError> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut at = self.follow(object, head)?;
        while let Some(address) = at {
            if !seen.insert(address) || found.len() as u64 >= MOST {
                return Err(ReadError::Impossible(head));
            }
            found.push(address);
            at = self.follow(address, next)?;
        }
        Ok(found)
    }

    fn slice(&self, object: u64, field: Field) -> Result<(u64, u64, u16), ReadError> {
        match self.value(object, field)? {
            Value::Slice { length, .. } if length > MOST => Err(ReadError::Impossible(field)),
            Value::Slice { address, length, element } => Ok((address, length, element)),
            _ => Err(LayoutError::Missing(field).into()),
        }
    }

    /// The numbers of a slice.
    ///
    /// # Errors
    /// They cannot be read, or are not numbers of at most eight bytes.
    pub fn numbers(&self, object: u64, field: Field) -> Result<Vec<u64>, ReadError> {
        let (address, length, element) = self.slice(object, field)?;
        if !(1..=8).contains(&element) {
            return Err(ReadError::Impossible(field));
        }
        let mut bytes = vec![0; length as usize * usize::from(element)];
        if length != 0 {
            fetch(&self.memory, address, &mut bytes)?;
        }
        let elements = bytes.chunks(usize::from(element));
        Ok(elements.filter_map(|bytes| self.layout.number(bytes)).collect())
    }

    /// The bytes of a slice of bytes, or of text without its end.
    ///
    /// # Errors
    /// They cannot be read, or the text has no end.
    pub fn bytes(&self, object: u64, field: Field) -> Result<Vec<u8>, ReadError> {
        if field.shape() != Shape::Text {
            let (address, length, element) = self.slice(object, field)?;
            if element != 1 {
                return Err(ReadError::Impossible(field));
            }
            let mut bytes = vec![0; length as usize];
            if length != 0 {
                fetch(&self.memory, address, &mut bytes)?;
            }
            return Ok(bytes);
        }
        let address = self.object(object, field)?;
        let mut text = Vec::new();
        while (text.len() as u64) < MOST {
            let mut byte = [0];
            fetch(&self.memory, address.wrapping_add(text.len() as u64), &mut byte)?;
            if byte[0] == 0 {
                return Ok(text);
            }
            text.push(byte[0]);
        }
        Err(ReadError::Impossible(field))
    }

    /// Bytes of an object of this kind.
    ///
    /// # Errors
    /// The runtime has no object of this kind.
    pub fn size_of(&self, object: Object) -> Result<usize, ReadError> {
        let missing = LayoutError::Missing(object.whole());
        self.layout.size_of(object).ok_or(missing.into())
    }
}

fn fetch(memory: &impl Memory, address: u64, buffer: &mut [u8]) -> Result<(), ReadError> {
    match memory.read(address, buffer) {
        true => Ok(()),
        false => Err(ReadError::Memory(address)),
    }
}
