//! The offload runtimes that are connected, and what they are told of the tool's begin and end.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use core::sync::atomic::{AtomicBool, AtomicPtr};

use oxomp_base::os;
use oxomp_sys::ompt::ompt_start_tool_result_t;

use super::super::found_tool::is_report_2015;
use super::super::phase::{is_active, shut_down};
use super::look_up::{look_up, look_up_2015};
use super::questions;
use crate::devices;

/// An offload runtime.
struct Connection {
    /// Null for none.
    runtime: AtomicPtr<ompt_start_tool_result_t>,
    /// It has been told of the tool's begin, and not of its end.
    has_begun: AtomicBool,
}

/// A process may have several versions of libomptarget.
static CONNECTIONS: [Connection; 8] = [const {
    Connection { runtime: AtomicPtr::new(ptr::null_mut()), has_begun: AtomicBool::new(false) }
}; 8];

/// Connects an offload runtime: calls its initializer with the look-up by which it gets the tool's
/// callbacks when a tool begins, or at once if one is active, and its finalizer when the tool ends.
///
/// # Safety
/// `offload` stays as it is while the process runs.
pub unsafe fn connect(offload: *mut ompt_start_tool_result_t) {
    if offload.is_null() {
        return;
    }
    let keep = |connection: &&Connection| {
        let runtime = &connection.runtime;
        runtime.compare_exchange(ptr::null_mut(), offload, AcqRel, Acquire).is_ok()
            || runtime.load(Acquire) == offload
    };
    // Without room for it the runtime sees no tool.
    let Some(connection) = CONNECTIONS.iter().find(keep) else { return };
    if questions::is_ours(offload) {
        devices::prepare_entry_points();
    }
    if is_active() && !connection.has_begun.swap(true, AcqRel) {
        connection.begin();
    }
}

impl Connection {
    /// Tells the runtime of the tool's begin.
    fn begin(&self) {
        let offload = self.runtime.load(Acquire);
        if offload.is_null() {
            return;
        }
        let look_up = match (is_report_2015(), questions::is_ours(offload)) {
            (false, true) => look_up,
            (false, false) => {
                // LLVM's ends its devices in functions that exit(3) calls; ours when the tool ends.
                if !ENDS_TOOL.swap(true, AcqRel) {
                    os::at_exit::register_in_order(end_tool);
                }
                look_up
            }
            (true, true) => look_up_2015,
            (true, false) => return,
        };
        // SAFETY: the offload runtime's structure, which stays (`connect`).
        if let Some(initialize) = unsafe { (*offload).initialize } {
            // SAFETY: the offload runtime's function, with the arguments that it expects.
            unsafe { initialize(look_up, 0, ptr::null_mut()) };
        }
    }

    /// Tells the runtime of the tool's end, if it knows of its begin.
    fn end(&self) {
        let offload = self.runtime.load(Acquire);
        if !self.has_begun.swap(false, AcqRel) || offload.is_null() {
            return;
        }
        // SAFETY: the structure stays (`connect`), and each begin is ended once.
        if let Some(finalize) = unsafe { (*offload).finalize } {
            // SAFETY: the offload runtime's function; it has got no data.
            unsafe { finalize(ptr::null_mut()) };
        }
    }
}

/// Tells the offload runtimes of the begin of a tool, which is active: those that `connect` has not
/// told meanwhile.
pub(in super::super) fn tell_all() {
    for connection in &CONNECTIONS {
        let is_there = !connection.runtime.load(Acquire).is_null();
        if is_there && !connection.has_begun.swap(true, AcqRel) {
            connection.begin();
        }
    }
}

/// In the child of a fork(2) that searches for a tool of its own: the offload runtimes have been
/// told of the begin of the parent's tool, which does not count in the child.
pub(in super::super) fn forget_begin() {
    for connection in &CONNECTIONS {
        connection.has_begun.store(false, Release);
    }
}

/// Ends the connections, before the tool's end: the offload runtimes have copies of the callbacks,
/// and the last events of their devices to report.
pub(in super::super) fn disconnect() {
    CONNECTIONS.iter().for_each(Connection::end);
}

/// Whether `end_tool` ends the tool when the process ends.
static ENDS_TOOL: AtomicBool = AtomicBool::new(false);

/// Whether the tool ends later than the first functions that exit(3) calls: offload runtimes end
/// their devices there, by functions that their programs register after the connection.
pub(in super::super) fn ends_tool() -> bool {
    ENDS_TOOL.load(Acquire)
}

extern "C" fn end_tool() {
    shut_down();
}

#[cfg(test)]
mod tests {
    use core::ffi::c_int;
    use core::ptr;
    use core::sync::atomic::AtomicUsize;
    use core::sync::atomic::Ordering::Relaxed;

    use oxomp_sys::ompt::{ompt_data_t, ompt_function_lookup_t, ompt_start_tool_result_t};

    use super::{connect, forget_begin, tell_all};

    static BEGINS: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn initialize(
        _look_up: ompt_function_lookup_t,
        _device: c_int,
        _data: *mut ompt_data_t,
    ) -> c_int {
        BEGINS.fetch_add(1, Relaxed);
        1
    }

    #[test]
    fn an_offload_runtime_is_told_of_each_begin_once() {
        let runtime = Box::leak(Box::new(ompt_start_tool_result_t {
            initialize: Some(initialize),
            finalize: None,
            tool_data: ompt_data_t::NONE,
        }));
        // SAFETY: the structure stays.
        unsafe { connect(ptr::from_mut(runtime)) };
        tell_all();
        tell_all();
        assert_eq!(BEGINS.load(Relaxed), 1);
        forget_begin();
        tell_all();
        assert_eq!(BEGINS.load(Relaxed), 2);
    }
}
