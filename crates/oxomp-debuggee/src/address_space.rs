//! A process, or a core file of one, through the layout table of its runtime.

use core::fmt;

use oxomp_ompd_layout::{Field, LayoutError, Memory, Object, ReadError, Reader};
use oxomp_sys::ompd::ompd_rc_t;

use crate::Answer;

/// Where the memory of a process comes from.
pub trait Source: Memory + Send {
    /// The code of the last read that failed.
    fn failure(&self) -> ompd_rc_t {
        ompd_rc_t::ERROR
    }
}

impl Memory for Box<dyn Source> {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        (**self).read(address, buffer)
    }
}

/// A process that can be read.
pub struct AddressSpace {
    reader: Reader<Box<dyn Source>>,
}

impl fmt::Debug for AddressSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressSpace").field("process", &self.process()).finish_non_exhaustive()
    }
}

impl AddressSpace {
    /// The process whose runtime's table ([`oxomp_ompd_layout::SYMBOL`]) lies at `table`.
    ///
    /// # Errors
    /// At `table` there is no table of oxomp, or one that this library cannot read.
    pub fn open(source: impl Source + 'static, table: u64) -> Result<Self, ReadError> {
        let source: Box<dyn Source> = Box::new(source);
        Ok(AddressSpace { reader: Reader::new(source, table)? })
    }

    /// The code for a failure to read.
    fn code(&self, error: &ReadError) -> ompd_rc_t {
        match error {
            ReadError::Layout(LayoutError::Missing(_)) => ompd_rc_t::UNSUPPORTED,
            ReadError::Layout(_) => ompd_rc_t::INCOMPATIBLE,
            ReadError::Memory(_) => self.reader.memory().failure(),
            ReadError::Nothing(_) => ompd_rc_t::UNAVAILABLE,
            ReadError::Impossible(_) => ompd_rc_t::ERROR,
        }
    }

    fn answer<T>(&self, read: Result<T, ReadError>) -> Answer<T> {
        read.map_err(|error| self.code(&error))
    }

    /// The address of the process's own object.
    pub fn process(&self) -> u64 {
        self.reader.process()
    }

    /// Bytes of an address.
    pub fn word_size(&self) -> usize {
        self.reader.layout().header().word_size()
    }

    /// The number, or address, in a field of the object at `object`.
    pub fn number(&self, object: u64, field: Field) -> Answer<u64> {
        self.answer(self.reader.number(object, field))
    }

    /// The number in a field, with its sign.
    pub fn signed(&self, object: u64, field: Field) -> Answer<i64> {
        self.answer(self.reader.signed(object, field))
    }

    /// Whether the number in a field is other than 0.
    pub fn flag(&self, object: u64, field: Field) -> Answer<bool> {
        Ok(self.number(object, field)? != 0)
    }

    /// The object that a field leads to, or contains; `None` if it leads nowhere.
    pub fn follow(&self, object: u64, field: Field) -> Answer<Option<u64>> {
        self.answer(self.reader.follow(object, field))
    }

    /// The object that a field leads to, or contains; `unavailable` if it leads nowhere.
    pub fn object(&self, object: u64, field: Field) -> Answer<u64> {
        self.answer(self.reader.object(object, field))
    }

    /// The objects of a list, array or slice.
    pub fn objects(&self, object: u64, field: Field) -> Answer<Vec<u64>> {
        self.answer(self.reader.objects(object, field))
    }

    /// The numbers of a slice.
    pub fn numbers(&self, object: u64, field: Field) -> Answer<Vec<u64>> {
        self.answer(self.reader.numbers(object, field))
    }

    /// The bytes of a text, or of a slice of bytes.
    pub fn bytes(&self, object: u64, field: Field) -> Answer<Vec<u8>> {
        self.answer(self.reader.bytes(object, field))
    }

    /// Bytes of an object of this kind.
    pub(crate) fn size_of(&self, object: Object) -> Answer<u64> {
        self.answer(self.reader.size_of(object)).map(|size| size as u64)
    }

    /// The number of `N` bytes at `address`.
    fn number_at<const N: usize>(&self, address: u64) -> Answer<u64> {
        let mut bytes = [0; N];
        if !self.reader.memory().read(address, &mut bytes) {
            return Err(self.reader.memory().failure());
        }
        self.reader.layout().number(&bytes).ok_or(ompd_rc_t::ERROR)
    }

    /// The number of 4 bytes at `address`.
    pub(crate) fn u32_at(&self, address: u64) -> Answer<u32> {
        self.number_at::<4>(address).map(|number| number as u32)
    }

    /// The number of 8 bytes at `address`.
    pub(crate) fn u64_at(&self, address: u64) -> Answer<u64> {
        self.number_at::<8>(address)
    }

    /// The settings of the runtime; `unavailable` before it has started.
    pub fn settings(&self) -> Answer<u64> {
        self.object(self.process(), Field::ProcessSettings)
    }

    /// *debug-var*: whether the runtime keeps all that a debugger reads.
    pub fn is_debugged(&self) -> Answer<bool> {
        self.flag(self.process(), Field::ProcessDebug)
    }

    /// Fails with `needs_state_tracking` unless the runtime keeps all that a debugger reads.
    pub fn require_tracking(&self) -> Answer<()> {
        match self.is_debugged()? {
            true => Ok(()),
            false => Err(ompd_rc_t::NEEDS_STATE_TRACKING),
        }
    }

    /// Whether something with this generation lives: generations are odd from begin to end, and
    /// stay 0 where the runtime does not count them.
    pub fn lives(&self, generation: u64) -> Answer<bool> {
        match generation {
            0 => Ok(!self.is_debugged()?),
            _ => Ok(generation % 2 == 1),
        }
    }
}
