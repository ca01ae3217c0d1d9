//! The time of a call.

use std::ffi::c_int;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_sys::mpi::{ON_MAIN_THREAD, oxomp_mpi_call_t};

use crate::nesting::Outermost;
use crate::own_sums::{is_main_thread, oxomp_mpi, tell};
use crate::steps::Steps;

/// A call by the program that is measured.
#[derive(Debug)]
pub(crate) struct Measured {
    function: u32,
    begin_ns: u64,
    outermost: Outermost,
}

impl Measured {
    /// The program calls the function with this number; `None` for a call inside another one.
    #[inline(always)]
    pub(crate) fn enter(function: u32) -> Option<Self> {
        let here = 0_u8;
        let outermost = Outermost::enter((&raw const here).addr())?;
        if oxomp_mpi.used.load(Relaxed) == 0 {
            oxomp_mpi.used.store(1, Relaxed);
        }
        Some(Self { function, begin_ns: 0, outermost })
    }

    /// The call begins now.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.begin_ns = now();
    }

    /// The call has ended with `result`. `bytes` tells what the process has contributed to one that
    /// succeeded, which is as long as the arguments are known to be valid.
    #[inline(always)]
    pub(crate) fn end(self, result: c_int, steps: &Steps, bytes: impl FnOnce() -> u64) -> c_int {
        let Self { function, begin_ns, outermost } = self;
        let end_ns = now();
        let succeeded = result == SUCCESS;
        let mut events = Vec::new();
        steps.end(function, succeeded, &mut events);
        if !events.is_empty() && is_main_thread() {
            events.iter_mut().for_each(|event| event.flags |= ON_MAIN_THREAD);
        }
        let bytes = if succeeded { bytes() } else { 0 };
        let (events, event_count) = (events.as_ptr(), events.len());
        tell(&oxomp_mpi_call_t { function, begin_ns, end_ns, bytes, events, event_count });
        drop(outermost);
        result
    }
}

/// `MPI_SUCCESS`, which the standard defines.
const SUCCESS: c_int = 0;

/// `CLOCK_MONOTONIC`, ns.
#[inline]
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` has room for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}
