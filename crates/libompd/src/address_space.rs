//! A process, or a core file of one, through the layout table of its runtime.

use std::ffi::CString;

use oxomp_ompd_layout::{Field, LayoutError, ReadError, Reader, SYMBOL};
use oxomp_sys::ompd::ompd_rc_t;

use crate::Answer;
use crate::callbacks::{Callbacks, Context};
use crate::memory::DebuggeeMemory;

/// A process that can be read.
#[derive(Debug)]
pub(crate) struct AddressSpace {
    reader: Reader<DebuggeeMemory>,
}

impl AddressSpace {
    /// The process of this context.
    ///
    /// # Errors
    /// `incompatible` if it has no runtime of ours, or one whose table this library cannot read.
    pub(crate) fn open(callbacks: Callbacks, context: Context) -> Answer<Self> {
        let sizes = callbacks.sizes(context)?;
        let name = CString::new(SYMBOL).map_err(|_| ompd_rc_t::ERROR)?;
        let table = match callbacks.symbol(context, &name) {
            Ok(0) => return Err(ompd_rc_t::INCOMPATIBLE),
            Ok(address) => address,
            Err(code @ (ompd_rc_t::STALE_HANDLE | ompd_rc_t::NOMEM)) => return Err(code),
            // A debugger answers so where the program has no such symbol.
            Err(_) => return Err(ompd_rc_t::INCOMPATIBLE),
        };
        let reader = match Reader::new(DebuggeeMemory::new(callbacks, context), table) {
            Ok(reader) => reader,
            Err(ReadError::Memory(_)) => return Err(ompd_rc_t::ERROR),
            Err(_) => return Err(ompd_rc_t::INCOMPATIBLE),
        };
        if usize::from(sizes.sizeof_pointer) != reader.layout().header().word_size() {
            return Err(ompd_rc_t::INCOMPATIBLE);
        }
        Ok(AddressSpace { reader })
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
    pub(crate) fn process(&self) -> u64 {
        self.reader.process()
    }

    /// Bytes of an address.
    pub(crate) fn word_size(&self) -> usize {
        self.reader.layout().header().word_size()
    }

    /// The number, or address, in a field of the object at `object`.
    pub(crate) fn number(&self, object: u64, field: Field) -> Answer<u64> {
        self.answer(self.reader.number(object, field))
    }

    /// The number in a field, with its sign.
    pub(crate) fn signed(&self, object: u64, field: Field) -> Answer<i64> {
        self.answer(self.reader.signed(object, field))
    }

    /// Whether the number in a field is other than 0.
    pub(crate) fn flag(&self, object: u64, field: Field) -> Answer<bool> {
        Ok(self.number(object, field)? != 0)
    }

    /// The object that a field leads to, or contains; none if it leads nowhere.
    pub(crate) fn follow(&self, object: u64, field: Field) -> Answer<Option<u64>> {
        self.answer(self.reader.follow(object, field))
    }

    /// The object that a field leads to, or contains; `unavailable` if it leads nowhere.
    pub(crate) fn object(&self, object: u64, field: Field) -> Answer<u64> {
        self.answer(self.reader.object(object, field))
    }

    /// The objects of a list, array or slice.
    pub(crate) fn objects(&self, object: u64, field: Field) -> Answer<Vec<u64>> {
        self.answer(self.reader.objects(object, field))
    }

    /// The numbers of a slice.
    pub(crate) fn numbers(&self, object: u64, field: Field) -> Answer<Vec<u64>> {
        self.answer(self.reader.numbers(object, field))
    }

    /// The bytes of a text, or of a slice of bytes.
    pub(crate) fn bytes(&self, object: u64, field: Field) -> Answer<Vec<u8>> {
        self.answer(self.reader.bytes(object, field))
    }

    /// The settings of the runtime; `unavailable` before it has started.
    pub(crate) fn settings(&self) -> Answer<u64> {
        self.object(self.process(), Field::ProcessSettings)
    }

    /// *debug-var*: whether the runtime keeps all that a debugger reads.
    pub(crate) fn is_debugged(&self) -> Answer<bool> {
        self.flag(self.process(), Field::ProcessDebug)
    }

    /// Fails with `needs_state_tracking` unless the runtime keeps all that a debugger reads.
    pub(crate) fn require_tracking(&self) -> Answer<()> {
        match self.is_debugged()? {
            true => Ok(()),
            false => Err(ompd_rc_t::NEEDS_STATE_TRACKING),
        }
    }

    /// Whether something with this generation lives: generations are odd from begin to end, and
    /// stay 0 where the runtime does not count them.
    pub(crate) fn lives(&self, generation: u64) -> Answer<bool> {
        match generation {
            0 => Ok(!self.is_debugged()?),
            _ => Ok(generation % 2 == 1),
        }
    }
}
