//! The runtime that runs the multiplexer, and its entry points.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Release},
};

use ompt::raw::c::{
    ompt_finalize_tool_t, ompt_function_lookup_t, ompt_get_parallel_info_t, ompt_get_target_info_t,
    ompt_get_task_info_t, ompt_get_thread_data_t, ompt_set_callback_t,
};
use ompt::raw::entry_point;

/// The look-up of the runtime, and the entry points that the multiplexer replaces by its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runtime {
    pub(crate) lookup: ompt_function_lookup_t,
    pub(crate) set_callback: ompt_set_callback_t,
    /// Whether a callback may be unregistered at any time. Runtimes other than oxomp test whether a
    /// callback is registered, and then load it again to call it.
    pub(crate) takes_null: bool,
    pub(crate) get_thread_data: Option<ompt_get_thread_data_t>,
    pub(crate) get_parallel_info: Option<ompt_get_parallel_info_t>,
    pub(crate) get_task_info: Option<ompt_get_task_info_t>,
    pub(crate) get_target_info: Option<ompt_get_target_info_t>,
    pub(crate) finalize_tool: Option<ompt_finalize_tool_t>,
}

impl Runtime {
    /// Asks the look-up; `None` if the runtime cannot register callbacks.
    ///
    /// # Safety
    /// `lookup` is the look-up function of an OMPT runtime.
    unsafe fn look_up(lookup: ompt_function_lookup_t, version: &CStr) -> Option<Self> {
        // SAFETY: each entry point has the type that OpenMP gives its name.
        unsafe {
            Some(Self {
                lookup,
                set_callback: entry_point(lookup, c"ompt_set_callback")?,
                takes_null: version.to_bytes().starts_with(b"oxomp"),
                get_thread_data: entry_point(lookup, c"ompt_get_thread_data"),
                get_parallel_info: entry_point(lookup, c"ompt_get_parallel_info"),
                get_task_info: entry_point(lookup, c"ompt_get_task_info"),
                get_target_info: entry_point(lookup, c"ompt_get_target_info"),
                finalize_tool: entry_point(lookup, c"ompt_finalize_tool"),
            })
        }
    }
}

static CURRENT: AtomicPtr<Runtime> = AtomicPtr::new(null_mut());

/// Takes the runtime with this look-up and version string; false if it cannot register callbacks.
///
/// # Safety
/// `lookup` is the look-up function of an OMPT runtime.
pub(crate) unsafe fn enter(lookup: ompt_function_lookup_t, version: &CStr) -> bool {
    // SAFETY: as the caller promises.
    let Some(runtime) = (unsafe { Runtime::look_up(lookup, version) }) else { return false };
    // A late handler may still read the runtime of an earlier start, which is never freed.
    CURRENT.store(Box::into_raw(Box::new(runtime)), Release);
    true
}

/// The runtime. Signal-safe.
#[inline]
pub(crate) fn current() -> Option<&'static Runtime> {
    // SAFETY: null, or a value that is never freed.
    unsafe { CURRENT.load(Acquire).as_ref() }
}
