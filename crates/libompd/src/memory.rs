//! The memory of the program, read through the debugger.

use core::cell::Cell;

use oxomp_ompd_layout::Memory;
use oxomp_sys::ompd::ompd_rc_t;

use crate::callbacks::{Callbacks, Context};

/// The memory of an address space.
#[derive(Debug)]
pub(crate) struct DebuggeeMemory {
    callbacks: Callbacks,
    context: Context,
    /// The code of the last read that failed.
    failure: Cell<ompd_rc_t>,
}

impl DebuggeeMemory {
    pub(crate) fn new(callbacks: Callbacks, context: Context) -> Self {
        DebuggeeMemory { callbacks, context, failure: Cell::new(ompd_rc_t::ERROR) }
    }

    /// The code of the last read that failed.
    pub(crate) fn failure(&self) -> ompd_rc_t {
        self.failure.get()
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
