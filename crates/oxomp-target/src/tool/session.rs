//! The connection to the host runtime's tool: from the first use of a device, or from the begin of
//! the tool if that is later, to the tool's end.

use core::ffi::c_int;
use core::sync::atomic::Ordering::{Acquire, Release};
use std::time::Instant;

use oxomp_sys::ompt::{ompt_data_t, ompt_function_lookup_t, ompt_start_tool_result_t};

use super::host::HostTool;
use super::present::{self, Present};
use super::{calls, devices, encoder_2015};
use crate::host_runtime::{Connection, HostRuntime};
use crate::sync::{AtomicUsize, caller, yield_now};
use crate::trace;

statics! {
    /// The thread that asks the host runtime.
    static ASKER: AtomicUsize = AtomicUsize::new(0);
}

/// The tool that listens: without one a load and a branch.
#[inline(always)]
pub(crate) fn listener() -> Option<&'static HostTool> {
    if present::is_silent() {
        return None;
    }
    found()
}

#[cold]
#[inline(never)]
fn found() -> Option<&'static HostTool> {
    loop {
        match present::present() {
            Present::Nobody => return None,
            Present::Unasked => ask(),
            // The tool's initializer uses a device.
            Present::Asking if ASKER.load(Acquire) == caller() => return None,
            Present::Asking => yield_now(),
            Present::Tool(tool) => return Some(tool),
        }
    }
}

/// Asks the host runtime to tell of its tool, which the runtime does before this function returns,
/// or later.
fn ask() {
    let runtime = HostRuntime::get();
    // The runtime, and with it its tool, starts at the first call. Before the exchange: the start
    // may have to wait for another thread, on which the tool's initializer uses a device.
    let _ = runtime.thread_number();
    if !present::claim_question() {
        return;
    }
    ASKER.store(caller(), Release);
    runtime.connect_tool(&CONNECTION);
    ASKER.store(0, Release);
    present::end_question();
}

/// In the child of a fork(2) the calling thread is the only one: the callbacks of other threads are
/// gone, and a question to the host runtime on another thread gets no answer.
pub(super) fn forget_others() {
    calls::forget_others();
    if ASKER.load(Acquire) != caller() {
        present::forget_question();
    }
}

/// The structure that host runtimes get.
#[must_use]
pub fn connection() -> *mut ompt_start_tool_result_t {
    CONNECTION.as_ptr()
}

static CONNECTION: Connection = Connection::new(ompt_start_tool_result_t {
    initialize: Some(initialize),
    finalize: Some(finalize),
    tool_data: ompt_data_t::NONE,
});

/// The host runtime has a tool.
unsafe extern "C" fn initialize(
    look_up: ompt_function_lookup_t,
    _initial_device: c_int,
    _data: *mut ompt_data_t,
) -> c_int {
    // SAFETY: the host runtime calls this function with its look-up.
    unsafe { begin(look_up, HostRuntime::get().is_oxomp()) }.into()
}

/// A tool of the host runtime begins. Returns whether this library has the functions to call it.
///
/// # Safety
/// As for [`HostTool::new`].
pub(crate) unsafe fn begin(look_up: ompt_function_lookup_t, is_oxomp: bool) -> bool {
    // SAFETY: the caller's own promise (`# Safety`).
    let Some(tool) = (unsafe { HostTool::new(look_up, is_oxomp) }) else { return false };
    encoder_2015::begin();
    calls::open();
    // Few bytes for each tool of the run: a thread may use them at any time.
    present::publish(Box::leak(Box::new(tool)));
    true
}

/// The tool of the host runtime ends: it gets the last events, and then no other.
unsafe extern "C" fn finalize(_data: *mut ompt_data_t) {
    end();
}

/// The tool ends, if there is one.
pub(crate) fn end() {
    let Present::Tool(host) = present::present() else { return };
    let deadline = Instant::now() + devices::LONGEST_WAIT;
    devices::close(host);
    if host.hears_its_end() {
        devices::finalize(host, deadline);
    }
    present::withdraw();
    calls::close();
    // LLVM's libomp has ended the tool before. With oxomp's libomp nothing is left to do, unless a
    // function of the tool has not returned.
    devices::forget(host);
    trace::discard(deadline);
    calls::wait_for_others(deadline);
}
