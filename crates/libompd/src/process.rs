//! The process of a context, which the library reads through the debugger.

use core::cell::Cell;
use std::ffi::CString;

use oxomp_debuggee::{AddressSpace, Source};
use oxomp_ompd_layout::{Memory, ReadError, SYMBOL};
use oxomp_sys::ompd::ompd_rc_t;

use crate::Answer;
use crate::callbacks::{Callbacks, Context};

/// The process of this context.
///
/// # Errors
/// `incompatible` if it has no runtime of ours, or one whose table this library cannot read.
pub(crate) fn open(callbacks: Callbacks, context: Context) -> Answer<AddressSpace> {
    let sizes = callbacks.sizes(context)?;
    let name = CString::new(SYMBOL).map_err(|_| ompd_rc_t::ERROR)?;
    let table = match callbacks.symbol(context, &name) {
        Ok(0) => return Err(ompd_rc_t::INCOMPATIBLE),
        Ok(address) => address,
        Err(code @ (ompd_rc_t::STALE_HANDLE | ompd_rc_t::NOMEM)) => return Err(code),
        // A debugger answers so where the program has no such symbol.
        Err(_) => return Err(ompd_rc_t::INCOMPATIBLE),
    };
    let space = match AddressSpace::open(DebuggeeMemory::new(callbacks, context), table) {
        Ok(space) => space,
        Err(ReadError::Memory(_)) => return Err(ompd_rc_t::ERROR),
        Err(_) => return Err(ompd_rc_t::INCOMPATIBLE),
    };
    if usize::from(sizes.sizeof_pointer) != space.word_size() {
        return Err(ompd_rc_t::INCOMPATIBLE);
    }
    Ok(space)
}

/// The memory of an address space.
#[derive(Debug)]
struct DebuggeeMemory {
    callbacks: Callbacks,
    context: Context,
    /// The code of the last read that failed.
    failure: Cell<ompd_rc_t>,
}

impl DebuggeeMemory {
    fn new(callbacks: Callbacks, context: Context) -> Self {
        DebuggeeMemory { callbacks, context, failure: Cell::new(ompd_rc_t::ERROR) }
    }
}

impl Memory for DebuggeeMemory {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        match self.callbacks.read(self.context, address, buffer) {
            Ok(()) => true,
            Err(code) => {
                self.failure.set(code);
                false
            }
        }
    }
}

impl Source for DebuggeeMemory {
    fn failure(&self) -> ompd_rc_t {
        self.failure.get()
    }
}
