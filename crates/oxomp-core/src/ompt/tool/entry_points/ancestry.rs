//! The tasks and regions that the calling thread is in, innermost first (OpenMP 5.2 §19.6.1.14 to
//! §19.6.1.16).

use core::ffi::{c_int, c_void};

use oxomp_sys::ompt::{ompt_data_t, ompt_frame_t, ompt_task_flag_t};

use super::super::encoder_5x::{parallel_data, task_data, task_frame};
use super::current::caller;
use super::store::store;
use crate::block::{ImplicitTask, Shared, Thread};
use crate::ompt::event::{State, flags};
use crate::task::Task;

/// Results of the two functions; "exists but is not available" never occurs.
const NONE: c_int = 0;
const AVAILABLE: c_int = 2;

/// The calling thread, unless it is a worker between two regions.
fn active_caller() -> Option<&'static Thread> {
    caller().filter(|thread| !matches!(thread.state(), State::Idle | State::Undefined))
}

/// The calling thread's member of the team of the region at `level`, counted outward from the
/// innermost.
fn member_at(level: c_int) -> Option<Shared<ImplicitTask>> {
    let mut member = active_caller()?.implicit_task_if_any()?.shared().in_region();
    for _ in 0..u32::try_from(level).ok()? {
        member = member.team().parent()?.in_region();
    }
    Some(member)
}

/// The task at `level`, counted outward from the task that the thread executes, and the member of a
/// team under whose thread number the thread executes it. Next after an explicit task is the task
/// that it interrupted; after an implicit task, the task that encountered its region.
fn task_at(level: c_int) -> Option<(Shared<Task>, Shared<ImplicitTask>)> {
    let thread = active_caller()?;
    let (mut task, mut member) =
        (thread.task_if_any()?.shared(), thread.implicit_task_if_any()?.shared());
    for _ in 0..u32::try_from(level).ok()? {
        if task.is_explicit() {
            task = task.suspended()?;
        } else {
            let team = member.in_region().team();
            (task, member) = (team.encountering()?, team.parent()?);
        }
    }
    Some((task, member))
}

/// `ompt_get_parallel_info`: the region at `level`, 0 the innermost.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_parallel_info(
    level: c_int,
    data: *mut *mut ompt_data_t,
    team_size: *mut c_int,
) -> c_int {
    let Some(member) = member_at(level) else { return NONE };
    let team = member.team();
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(data, parallel_data(team.record()));
        store(team_size, team.league_size().unwrap_or(team.size()).cast_signed());
    }
    AVAILABLE
}

/// The flags of a task. As in libomp, the implicit task of a region of one thread is undeferred:
/// the task that encountered the region waits for it.
fn flags_of(task: Shared<Task>) -> i32 {
    let recorded = task.ompt().flags.get();
    if recorded == flags::TASK_IMPLICIT && task.team().size() == 1 {
        return recorded | flags::TASK_UNDEFERRED;
    }
    recorded
}

/// `ompt_get_task_info`: the task at `level`, 0 the one that the thread executes.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_task_info(
    level: c_int,
    task_flags: *mut ompt_task_flag_t,
    data: *mut *mut ompt_data_t,
    frame: *mut *mut ompt_frame_t,
    region: *mut *mut ompt_data_t,
    thread_num: *mut c_int,
) -> c_int {
    let Some((task, member)) = task_at(level) else { return NONE };
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(task_flags, ompt_task_flag_t(flags_of(task).cast_unsigned()));
        store(data, task_data(task.ompt()));
        store(frame, task_frame(task.ompt()));
        store(region, parallel_data(member.team().record()));
        store(thread_num, member.thread_num().cast_signed());
    }
    AVAILABLE
}

/// `ompt_get_task_memory`: implicit tasks have no memory of their own.
///
/// # Safety
/// `size` is null or writable.
pub(super) unsafe extern "C" fn get_task_memory(
    _: *mut *mut c_void,
    size: *mut usize,
    _: c_int,
) -> c_int {
    // SAFETY: `size` is null or writable (`# Safety`).
    unsafe { store(size, 0) };
    0
}
