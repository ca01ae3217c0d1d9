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

/// Results of the two functions. There is a task or a region at level 0, but the calling thread is
/// just going from one to another: a signal handler may ask then.
const UNAVAILABLE: c_int = 1;
const NONE: c_int = 0;
const AVAILABLE: c_int = 2;

/// The calling thread, unless it is a worker outside of its regions.
fn active_caller() -> Option<&'static Thread> {
    caller().filter(|thread| {
        let is_root = thread.initial.get().is_some();
        (is_root || thread.left.has_region())
            && !matches!(thread.state(), State::Idle | State::Undefined)
    })
}

/// A level of the calling thread: a task, or the region around it.
enum Level<T> {
    At(T),
    Between,
    Nothing,
}

/// Whether the answer `at` about a level is of no use: a worker may answer about its region until
/// the worker's next one, but not about the tasks and regions around it, which go on once it is
/// over.
fn is_too_late(thread: &Thread, level: u32) -> bool {
    level != 0 && thread.left.is_over()
}

/// The implicit or initial task in which the calling thread, a worker, has left its region: none if
/// the worker is in a region, or executes an explicit task at its dock, or a region in that task.
fn left_task(thread: &Thread) -> Option<Shared<ImplicitTask>> {
    let left = thread.left.task()?.shared();
    let now = thread.implicit_task_if_any()?.shared();
    let is_explicit = thread.task_if_any()?.is_explicit();
    // At its dock a worker of a league is in its member's task.
    (!is_explicit && (now == left || now == left.in_region())).then_some(left)
}

/// The task that the calling thread executes, and the member of a team under whose thread number it
/// does; none while it goes from a task of one team to a task of another. A worker at its dock is
/// in the task in which it left its region.
fn innermost(thread: &Thread) -> Option<(Shared<Task>, Shared<ImplicitTask>)> {
    if let Some(left) = left_task(thread) {
        return Some((left.task(), left));
    }
    let member = thread.implicit_task_if_any()?.shared();
    let task = thread.task_if_any()?.shared();
    core::ptr::eq(task.team(), member.team()).then_some((task, member))
}

/// The calling thread's member of the team of the region at `level`, counted outward from the
/// innermost.
fn member_at(thread: &Thread, level: u32) -> Level<Shared<ImplicitTask>> {
    let Some((_, innermost)) = innermost(thread) else {
        return if level == 0 { Level::Between } else { Level::Nothing };
    };
    let mut member = innermost.in_region();
    for _ in 0..level {
        let Some(parent) = member.team().parent() else { return Level::Nothing };
        member = parent.in_region();
    }
    if is_too_late(thread, level) { Level::Nothing } else { Level::At(member) }
}

/// The task at `level`, counted outward from the task that the thread executes, and the member of a
/// team under whose thread number the thread executes it. Next after an explicit task is the task
/// that it interrupted; after an implicit task, the task that encountered its region.
fn task_at(thread: &Thread, level: u32) -> Level<(Shared<Task>, Shared<ImplicitTask>)> {
    let Some((mut task, mut member)) = innermost(thread) else {
        return if level == 0 { Level::Between } else { Level::Nothing };
    };
    for _ in 0..level {
        let outer = if task.is_explicit() {
            task.suspended().map(|suspended| (suspended, member))
        } else {
            let team = member.in_region().team();
            team.encountering().zip(team.parent())
        };
        let Some(outer) = outer else { return Level::Nothing };
        (task, member) = outer;
    }
    if is_too_late(thread, level) { Level::Nothing } else { Level::At((task, member)) }
}

/// The calling thread and the `level`, if it may be one.
fn asked(level: c_int) -> Option<(&'static Thread, u32)> {
    active_caller().zip(u32::try_from(level).ok())
}

/// The tool's word of the region of `member`, and the region's size. A worker that has left the
/// region answers from its copy.
fn region_of(thread: &Thread, member: Shared<ImplicitTask>, level: u32) -> (*mut ompt_data_t, u32) {
    if level == 0
        && left_task(thread).is_some()
        && let Some((record, size)) = thread.left.copy()
    {
        return (parallel_data(record), size);
    }
    let team = member.team();
    (parallel_data(team.record()), team.league_size().unwrap_or(team.size()))
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
    let Some((thread, level)) = asked(level) else { return NONE };
    let member = match member_at(thread, level) {
        Level::At(member) => member,
        Level::Between => return UNAVAILABLE,
        Level::Nothing => return NONE,
    };
    let (region, size) = region_of(thread, member, level);
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(data, region);
        store(team_size, size.cast_signed());
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
    let Some((thread, level)) = asked(level) else { return NONE };
    let (task, member) = match task_at(thread, level) {
        Level::At(found) => found,
        Level::Between => return UNAVAILABLE,
        Level::Nothing => return NONE,
    };
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(task_flags, ompt_task_flag_t(flags_of(task).cast_unsigned()));
        store(data, task_data(task.ompt()));
        store(frame, task_frame(task.ompt()));
        store(region, region_of(thread, member, level).0);
        store(thread_num, member.thread_num().cast_signed());
    }
    AVAILABLE
}

/// `ompt_get_task_memory`: the data environment of the task that the calling thread executes, which
/// is one block of memory if the task is explicit. The runtime keeps no data of implicit and
/// initial tasks. There is no second block.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_task_memory(
    address: *mut *mut c_void,
    size: *mut usize,
    block: c_int,
) -> c_int {
    let task = if block == 0 { active_caller().and_then(Thread::task_if_any) } else { None };
    let (data, bytes) = task.map_or((core::ptr::null_mut(), 0), Task::memory);
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(address, data);
        store(size, bytes);
    }
    0
}
