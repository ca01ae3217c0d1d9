//! The functions by which the host runtime hands out its tool's callbacks and its tool's words.

use core::ffi::{CStr, c_int};
use core::mem::transmute_copy;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU64, compiler_fence};

use oxomp_sys::connection::{
    oxomp_get_task_2015_t, oxomp_new_id_2015_t, oxomp_target_slot_t, oxomp_target_t,
    oxomp_task_2015_t,
};
use oxomp_sys::ompt::{
    ompt_callback_t, ompt_callbacks_t, ompt_data_t, ompt_function_lookup_t, ompt_get_callback_t,
    ompt_get_unique_id_t, ompt_id_t,
};
use oxomp_sys::report_2015;

use crate::sync::AtomicBool;

/// The type of functions that return a tool's word of a task.
type TaskData = unsafe extern "C" fn() -> *mut ompt_data_t;

/// A tool of the host runtime, from its connection on. The record stays for the whole run.
#[derive(Debug)]
pub struct HostTool {
    pub(super) generation: Generation,
    unique_id: Option<ompt_get_unique_id_t>,
    target_slot: Option<oxomp_target_slot_t>,
    /// Whether the host runtime is oxomp, with the private interface of this library.
    is_oxomp: bool,
    /// No construct and no device begins for the tool any more.
    is_ending: AtomicBool,
}

/// The interface to which a tool was written, with its functions.
#[derive(Debug)]
pub(super) enum Generation {
    /// OpenMP 5 and 6.
    OpenMp5(OpenMp5),
    /// The 2015 report, which only oxomp's libomp has.
    Report2015(Report2015),
}

/// The functions for tools of OpenMP 5 and 6.
#[derive(Debug)]
pub(super) struct OpenMp5 {
    get_callback: ompt_get_callback_t,
    task_data: Option<TaskData>,
    target_task_data: Option<TaskData>,
}

/// The functions for tools of the 2015 report.
#[derive(Debug)]
pub(super) struct Report2015 {
    get_callback: report_2015::ompt_get_callback_t,
    get_task: oxomp_get_task_2015_t,
    new_id: oxomp_new_id_2015_t,
}

/// The look-up's function of that name, as a pointer of type `F`.
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

/// The function by which a host runtime of either generation tells the callback of an event.
type GetCallback<E> = unsafe extern "C" fn(E, *mut Option<ompt_callback_t>) -> c_int;

/// The callback that is registered for the event now, as a pointer of type `F`.
///
/// # Safety
/// The function is the host runtime's, and the callback of the event has the type `F`.
unsafe fn registered<E, F: Copy>(get_callback: GetCallback<E>, event: E) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<ompt_callback_t>()) };
    let mut callback = None;
    // SAFETY: the host runtime's function; the place is this function's own.
    let answer = unsafe { get_callback(event, &raw mut callback) };
    let callback = callback.filter(|_| answer != 0)?;
    // SAFETY: a callback of this type (`# Safety`).
    Some(unsafe { transmute_copy::<ompt_callback_t, F>(&callback) })
}

/// Calls the callback of an event of `E`, if one is registered now.
macro_rules! call {
    ($tool:expr, $event:ident: $type:ty, ($($argument:expr),* $(,)?)) => {
        // SAFETY: the callbacks of this event have this type (`omp-tools.h`, the report's
        // appendix A).
        if let Some(callback) = unsafe { $tool.callback::<$type>(E::$event) } {
            // SAFETY: the arguments are those that the event has: numbers, and words and arrays
            // that outlive the call, null only where the event's description allows it.
            unsafe { callback($($argument),*) };
        }
    };
}

pub(super) use call;

impl HostTool {
    /// The tool behind the look-up of a host runtime; `is_oxomp` says whether it is oxomp, with the
    /// private interface of this library. `None` if the runtime does not hand out callbacks.
    ///
    /// # Safety
    /// The look-up is the one that the host runtime passes to an offload runtime.
    pub(super) unsafe fn new(look_up: ompt_function_lookup_t, is_oxomp: bool) -> Option<Self> {
        // SAFETY: host runtimes give the functions of these names these types (`omp-tools.h`,
        // `oxomp_sys::connection`).
        unsafe {
            let generation = match find(look_up, c"ompt_get_callback") {
                Some(get_callback) => Generation::OpenMp5(OpenMp5 {
                    get_callback,
                    task_data: find(look_up, c"ompt_get_task_data"),
                    target_task_data: find(look_up, c"ompt_get_target_task_data"),
                }),
                None if !is_oxomp => return None,
                None => Generation::Report2015(Report2015 {
                    get_callback: find(look_up, c"oxomp_get_callback_2015")?,
                    get_task: find(look_up, c"oxomp_get_task_2015")?,
                    new_id: find(look_up, c"oxomp_new_id_2015")?,
                }),
            };
            Some(Self {
                generation,
                unique_id: find(look_up, c"ompt_get_unique_id"),
                target_slot: is_oxomp.then(|| find(look_up, c"oxomp_target_slot")).flatten(),
                is_oxomp,
                is_ending: AtomicBool::new(false),
            })
        }
    }

    /// The tool's end has begun.
    pub(super) fn ends(&self) {
        // Release: with the Acquire of `is_ending`.
        self.is_ending.store(true, Release);
    }

    /// Whether the tool's end has begun.
    pub(super) fn is_ending(&self) -> bool {
        self.is_ending.load(Acquire)
    }

    /// Whether the host runtime tells this library of the tool's end before it tells the tool, as
    /// oxomp does. LLVM's libomp tells it afterwards, when the tool must not get any event.
    pub(super) fn hears_its_end(&self) -> bool {
        self.is_oxomp
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

    /// The calling thread executes the construct `target` from now on, or, with null, no construct.
    /// Returns the construct that it has executed so far.
    ///
    /// # Safety
    /// The record stays until this function has replaced it on the same thread, by another record
    /// or by the former one.
    pub(super) unsafe fn executes(&self, target: *const oxomp_target_t) -> *const oxomp_target_t {
        let Some(function) = self.target_slot else { return ptr::null() };
        // SAFETY: the host runtime's function has no precondition. It returns null, or its word for
        // the calling thread.
        let Some(slot) = (unsafe { function().as_ref() }) else { return ptr::null() };
        // A signal handler of the thread that sees the address sees the record. Relaxed: no other
        // thread reads the word.
        compiler_fence(Release);
        let former = slot.load(Relaxed);
        slot.store(target.cast_mut(), Relaxed);
        former
    }
}

impl OpenMp5 {
    /// The callback that is registered for the event now, as a pointer of type `F`.
    ///
    /// # Safety
    /// The callback of the event has the type `F`.
    pub(super) unsafe fn callback<F: Copy>(&self, event: ompt_callbacks_t) -> Option<F> {
        // SAFETY: the host runtime's function, and the caller's own promise (`# Safety`).
        unsafe { registered(self.get_callback, event) }
    }

    /// The tool's word of the task that executes the construct.
    pub(super) fn task_data(&self) -> *mut ompt_data_t {
        // SAFETY: the host runtime's function has no precondition.
        self.task_data.map_or(ptr::null_mut(), |function| unsafe { function() })
    }

    /// The tool's word of the target task that executes the construct; null without a target task.
    pub(super) fn target_task_data(&self) -> *mut ompt_data_t {
        // SAFETY: the host runtime's function has no precondition.
        self.target_task_data.map_or(ptr::null_mut(), |function| unsafe { function() })
    }
}

impl Report2015 {
    /// The callback that is registered for the event, as a pointer of type `F`.
    ///
    /// # Safety
    /// The callback of the event has the type `F`.
    pub(super) unsafe fn callback<F: Copy>(&self, event: report_2015::ompt_event_t) -> Option<F> {
        // SAFETY: the host runtime's function, and the caller's own promise (`# Safety`).
        unsafe { registered(self.get_callback, event) }
    }

    /// The task that the calling thread executes.
    pub(super) fn task(&self) -> oxomp_task_2015_t {
        let mut task = oxomp_task_2015_t { encountering: 0, frame: ptr::null(), target_task: 0 };
        // SAFETY: the host runtime's function; the place is this function's own.
        unsafe { (self.get_task)(&raw mut task) };
        task
    }

    /// The id of a target task that only this library knows.
    pub(super) fn new_id(&self) -> u64 {
        // SAFETY: the host runtime's function has no precondition.
        unsafe { (self.new_id)() }
    }
}
