//! The connection to the host runtime's tool: from the first use of a device, or from the begin of
//! the tool if that is later, to the tool's end.

use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::time::Instant;

use oxomp_sys::ompt::{ompt_data_t, ompt_function_lookup_t, ompt_start_tool_result_t};

use super::event::ToolEvent;
use super::host::{Generation, HostTool};
use super::{calls, devices, encoder_5x, encoder_2015};
use crate::host_runtime::{Connection, HostRuntime};
use crate::sync::{AtomicPtr, AtomicUsize, caller, yield_now};
use crate::trace;

/// No thread has asked the host runtime.
const UNASKED: usize = 1;
/// A thread asks the host runtime.
const ASKING: usize = 2;

statics! {
    /// The tool that listens; null for none, or one of the two numbers above.
    static TOOL: AtomicPtr<HostTool> = AtomicPtr::new(ptr::without_provenance_mut(UNASKED));
    /// The thread that asks.
    static ASKER: AtomicUsize = AtomicUsize::new(0);
}

/// The tool that listens: without one a load and a branch.
#[inline(always)]
pub(crate) fn listener() -> Option<&'static HostTool> {
    // Relaxed: `found` reads again. A tool that begins on another thread just now is not promised
    // events that happen meanwhile.
    if TOOL.load(Relaxed).is_null() {
        return None;
    }
    found()
}

/// Whether it is known that no tool listens.
#[inline(always)]
pub(super) fn is_silent() -> bool {
    // Relaxed: as in `listener`.
    TOOL.load(Relaxed).is_null()
}

#[cold]
#[inline(never)]
fn found() -> Option<&'static HostTool> {
    loop {
        // Acquire: pairs with the Release in `initialize`; shows the tool's functions.
        let tool = TOOL.load(Acquire);
        match tool.addr() {
            0 => return None,
            UNASKED => ask(),
            // The tool's initializer uses a device.
            ASKING if ASKER.load(Acquire) == caller() => return None,
            ASKING => yield_now(),
            // SAFETY: `initialize` stores tools that stay for the whole run.
            _ => return Some(unsafe { &*tool }),
        }
    }
}

/// Has the host runtime tell of its tool, which it does before this returns, or later.
fn ask() {
    let runtime = HostRuntime::get();
    // The runtime, and with it its tool, starts at the first call. Before the exchange: the start
    // may have to wait for another thread, on which the tool's initializer uses a device.
    let _ = runtime.thread_number();
    let [unasked, asking] = [UNASKED, ASKING].map(ptr::without_provenance_mut);
    if TOOL.compare_exchange(unasked, asking, AcqRel, Acquire).is_err() {
        return;
    }
    ASKER.store(caller(), Release);
    runtime.connect_tool(&CONNECTION);
    ASKER.store(0, Release);
    // An error: the runtime has told of a tool.
    let _ = TOOL.compare_exchange(asking, ptr::null_mut(), AcqRel, Acquire);
}

/// In the child of a fork(2) the calling thread is the only one: the callbacks of other threads are
/// gone, and who asked the host runtime on another thread does not get its answer.
pub(super) fn forget_others() {
    calls::forget_others();
    if ASKER.load(Acquire) != caller() {
        let [unasked, asking] = [UNASKED, ASKING].map(ptr::without_provenance_mut);
        // An error: no thread asked.
        let _ = TOOL.compare_exchange(asking, unasked, AcqRel, Acquire);
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
    let tool = Box::leak(Box::new(tool));
    TOOL.store(tool, Release);
    true
}

/// The tool of the host runtime ends: it gets the last events, and then no other.
unsafe extern "C" fn finalize(_data: *mut ompt_data_t) {
    end();
}

/// The tool ends, if there is one.
pub(crate) fn end() {
    let tool = TOOL.load(Acquire);
    if matches!(tool.addr(), 0 | UNASKED | ASKING) {
        return;
    }
    // SAFETY: as in `found`.
    let host = unsafe { &*tool };
    let deadline = Instant::now() + devices::LONGEST_WAIT;
    devices::close(host);
    if host.hears_its_end() {
        devices::finalize(host, deadline);
    }
    // Relaxed: what no longer listens publishes nothing; `calls::open` orders it before the next
    // tool's begin (I9).
    TOOL.store(ptr::null_mut(), Relaxed);
    calls::close();
    // LLVM's libomp has ended the tool before. With oxomp's nothing is left, unless a function of
    // the tool has not returned.
    devices::forget(host);
    trace::discard(deadline);
    calls::wait_for_others(deadline);
}

/// Tells the tool of an event, unless it has ended.
pub(super) fn tell(tool: &'static HostTool, event: &ToolEvent<'_>) {
    calls::during(|| {
        // Relaxed: a scope may be of an earlier tool; `during` has shown its end (I9).
        if ptr::eq(TOOL.load(Relaxed), tool) {
            match &tool.generation {
                Generation::OpenMp5(tool) => encoder_5x::encode(tool, event),
                Generation::Report2015(tool) => encoder_2015::encode(tool, event),
            }
        }
    });
}
