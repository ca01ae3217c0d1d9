//! Routines whose work is a task of the host runtime (OpenMP 5.2 §18.8.7): it starts when the
//! dependences of the call allow, and the caller does not wait for it.

use core::ffi::{c_int, c_void};
use core::slice;

use oxomp_sys::kmpc::{kmp_depend_info_t, kmp_task_t};

use crate::host_runtime::HostRuntime;

/// The work of a task.
type Work = Box<dyn FnOnce() + Send>;

/// A task's data: the runtime's header, and the work.
#[repr(C)]
struct Task {
    header: kmp_task_t,
    work: Option<Box<Work>>,
}

/// The dependences of depend objects.
///
/// # Safety
/// `objects` are `count` depend objects that clang's code has initialized; each points to the
/// element after a record with the number of its dependences.
#[must_use]
pub unsafe fn dependences(count: c_int, objects: *const *mut c_void) -> Vec<kmp_depend_info_t> {
    let count = usize::try_from(count).unwrap_or(0);
    if objects.is_null() || count == 0 {
        return Vec::new();
    }
    // SAFETY: so many objects stand there (`# Safety`).
    let objects = unsafe { slice::from_raw_parts(objects, count) };
    let mut all = Vec::with_capacity(count);
    for object in objects.iter().filter(|object| !object.is_null()) {
        let first = object.cast::<kmp_depend_info_t>();
        // SAFETY: the record before the first has the number of dependences (`# Safety`).
        let number = unsafe { (*first.sub(1)).base_addr };
        // SAFETY: so many dependences stand there.
        all.extend_from_slice(unsafe {
            slice::from_raw_parts(first, usize::try_from(number).unwrap_or(0))
        });
    }
    all
}

/// Creates a task of the host runtime that does the work after its dependences. If the runtime has
/// no such tasks, the caller waits for the dependences and does the work itself.
///
/// # Safety
/// The addresses of the dependences are the program's. The work is valid until the task is done.
pub unsafe fn defer(dependences: &[kmp_depend_info_t], device: i64, work: Work) {
    let runtime = HostRuntime::get();
    let bytes = size_of::<Task>() - size_of::<kmp_task_t>();
    let Some(task) = runtime.allocate_task(bytes, execute, device) else {
        // SAFETY: the program's dependences (`# Safety`).
        unsafe { runtime.wait_for(dependences) };
        return work();
    };
    // SAFETY: the task has room for the work behind its header; then its data are complete.
    unsafe {
        (&raw mut (*task.cast::<Task>().as_ptr()).work).write(Some(Box::new(work)));
        runtime.start_task(task, dependences);
    }
}

/// The routine of the tasks.
unsafe extern "C" fn execute(_thread: i32, task: *mut kmp_task_t) -> i32 {
    // SAFETY: the runtime calls the routine once, with the task that `defer` completed.
    if let Some(work) = unsafe { (*task.cast::<Task>()).work.take() } {
        work();
    }
    0
}
