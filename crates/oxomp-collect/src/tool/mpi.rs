//! Calls of MPI, of which the library that stands before MPI's tells.

use std::ffi::c_int;

use oxomp_sys::mpi::{EVENTS_TAKEN, SUMS_TAKEN, oxomp_mpi_call_t};

use crate::mode::Mode;
use crate::{child, log, mpi_library, recording};

/// The call is not wanted.
const UNWANTED: c_int = SUMS_TAKEN | EVENTS_TAKEN;
/// The library adds up the call itself.
const DECLINED: c_int = 0;

/// From now on calls of MPI are recorded.
pub(super) fn listen() {
    mpi_library::listen(ended);
}

/// The calling thread has ended a call of MPI.
unsafe extern "C" fn ended(call: *const oxomp_mpi_call_t) -> c_int {
    match recording::mode() {
        Mode::On => {}
        Mode::Off | Mode::Paused => return UNWANTED,
    }
    // SAFETY: the library passes a call of its own.
    let (Some(recording), Some(call)) = (recording::current(), unsafe { call.as_ref() }) else {
        return DECLINED;
    };
    child::begin_main_thread();
    let taken = log::with_current(|log| log.add_mpi_call(recording.store(), call));
    taken.unwrap_or(DECLINED)
}
