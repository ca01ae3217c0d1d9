//! The process of a context, which the library reads through the debugger.

use core::sync::atomic::AtomicI32;
use core::sync::atomic::Ordering::Relaxed;
use std::ffi::CString;
use std::sync::Arc;

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
    let failure = Failure::default();
    let memory = DebuggeeMemory { callbacks, context, failure: failure.clone() };
    let space = match AddressSpace::open(memory, table) {
        Ok(space) => space,
        Err(ReadError::Memory(_)) => return Err(failure.code()),
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
    failure: Failure,
}

/// The code of the last read that failed, which the opener of an address space shares with it.
#[derive(Clone, Debug, Default)]
struct Failure(Arc<AtomicI32>);

impl Failure {
    fn set(&self, code: ompd_rc_t) {
        // Relaxed, here and below: one call at a time uses the address space.
        self.0.store(code.0, Relaxed);
    }

    fn code(&self) -> ompd_rc_t {
        ompd_rc_t(self.0.load(Relaxed))
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
        self.failure.code()
    }
}
