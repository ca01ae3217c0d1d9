//! The functions by which the host runtime gives its tool's callbacks and its tool's words.

use core::ffi::{CStr, c_int};
use core::mem::transmute_copy;
use core::ptr;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::ompt::{
    ompt_callback_t, ompt_callbacks_t, ompt_data_t, ompt_function_lookup_t, ompt_get_callback_t,
    ompt_get_unique_id_t, ompt_id_t,
};

type TaskData = unsafe extern "C" fn() -> *mut ompt_data_t;

/// A tool of the host runtime, from its connection on. The record stays for the whole run.
#[derive(Debug)]
pub struct HostTool {
    get_callback: ompt_get_callback_t,
    task_data: Option<TaskData>,
    target_task_data: Option<TaskData>,
    unique_id: Option<ompt_get_unique_id_t>,
}

/// The function of that name of the look-up, as a pointer of type `F`.
///
/// # Safety
/// The look-up is the host runtime's, and its function of that name has the type `F`.
unsafe fn find<F: Copy>(look_up: ompt_function_lookup_t, name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<ompt_callback_t>()) };
    // SAFETY: the host runtime's function, with a string.
    let function = unsafe { look_up(name.as_ptr()) }?;
    // SAFETY: a function of this type (`# Safety`).
    Some(unsafe { transmute_copy::<_, F>(&function) })
}

impl HostTool {
    /// The tool behind a look-up; none if that lacks the callbacks.
    ///
    /// # Safety
    /// The look-up is the one that the host runtime passes to an offload runtime.
    pub(super) unsafe fn new(look_up: ompt_function_lookup_t) -> Option<Self> {
        // SAFETY: host runtimes give the functions of these names these types.
        unsafe {
            Some(Self {
                get_callback: find(look_up, c"ompt_get_callback")?,
                task_data: find(look_up, c"ompt_get_task_data"),
                target_task_data: find(look_up, c"ompt_get_target_task_data"),
                unique_id: find(look_up, c"ompt_get_unique_id"),
            })
        }
    }

    /// The callback that is registered for the event now, as a pointer of type `F`.
    ///
    /// # Safety
    /// The callback of the event has the type `F`.
    pub(super) unsafe fn callback<F: Copy>(&self, event: ompt_callbacks_t) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<ompt_callback_t>()) };
        let mut callback: Option<ompt_callback_t> = None;
        // SAFETY: the host runtime's function; the place is this function's own.
        let answer: c_int = unsafe { (self.get_callback)(event, &raw mut callback) };
        let callback = callback.filter(|_| answer != 0)?;
        // SAFETY: a callback of this type (`# Safety`).
        Some(unsafe { transmute_copy::<_, F>(&callback) })
    }

    /// The tool's word of the task that executes the construct.
    pub(super) fn task_data(&self) -> *mut ompt_data_t {
        // SAFETY: the host runtime's function has no precondition.
        self.task_data.map_or(ptr::null_mut(), |function| unsafe { function() })
    }

    /// The tool's word of the target task that executes the construct; null for none.
    pub(super) fn target_task_data(&self) -> *mut ompt_data_t {
        // SAFETY: the host runtime's function has no precondition.
        self.target_task_data.map_or(ptr::null_mut(), |function| unsafe { function() })
    }

    /// A number that no other call returns in this run.
    pub(super) fn new_id(&self) -> ompt_id_t {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        match self.unique_id {
            // SAFETY: the host runtime's function has no precondition.
            Some(function) => unsafe { function() },
            // Relaxed: only the difference counts.
            None => NEXT.fetch_add(1, Relaxed),
        }
    }
}
