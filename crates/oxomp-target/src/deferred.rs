//! Routines whose work is a task of the host runtime (OpenMP 5.2 §18.8.7): it starts when the
//! dependences of the call allow, and the caller does not wait for it.

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

/// Creates a task of the host runtime that does the work after its dependences. If the runtime has
/// no such tasks, the caller waits for the dependences and does the work itself.
pub fn defer(dependences: &[kmp_depend_info_t], device: i64, work: Work) {
    let runtime = HostRuntime::get();
    let bytes = size_of::<Task>() - size_of::<kmp_task_t>();
    let Some(task) = runtime.allocate_task(bytes, execute, device) else {
        runtime.wait_for(dependences);
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
