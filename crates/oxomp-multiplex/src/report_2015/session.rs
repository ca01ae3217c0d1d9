//! A session: the time in which a runtime of this process has the multiplexer as its tool.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicPtr, AtomicU32,
    Ordering::{AcqRel, Acquire, Release},
};

use ompt::raw::report_2015::c::{ompt_function_lookup_t, ompt_set_callback_t};

use super::client;

/// The process in which a session runs; 0 without a session.
static RUNS_IN: AtomicU32 = AtomicU32::new(0);

/// The look-up of the runtime, and the entry point that the multiplexer replaces by its own.
#[derive(Debug)]
pub(super) struct Runtime {
    pub(super) lookup: ompt_function_lookup_t,
    pub(super) set_callback: ompt_set_callback_t,
}

static RUNTIME: AtomicPtr<Runtime> = AtomicPtr::new(null_mut());

/// The runtime of the present session, or of the last one. Signal-safe.
pub(super) fn runtime() -> Option<&'static Runtime> {
    // SAFETY: null, or a value that is never freed.
    unsafe { RUNTIME.load(Acquire).as_ref() }
}

/// Whether a session runs in this process.
pub(crate) fn is_running() -> bool {
    RUNS_IN.load(Acquire) == std::process::id()
}

/// Begins a session of this runtime; false if one runs in this process.
pub(super) fn begin(runtime: Runtime) -> bool {
    let process = std::process::id();
    if RUNS_IN.swap(process, AcqRel) == process {
        return false;
    }
    // A late handler may still read the runtime of an earlier session, which is never freed.
    RUNTIME.store(Box::into_raw(Box::new(runtime)), Release);
    true
}

/// The runtime has shut down: the session is over, and another one may begin.
pub(super) fn end() {
    client::clear();
    RUNS_IN.store(0, Release);
}
