//! Entry points about the regions and tasks that the calling thread is in (the 2015 report §5.5,
//! §5.6).

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_sys::report_2015::{
    ompt_bool, ompt_frame_t, ompt_parallel_id_t, ompt_task_id_t, ompt_task_type_t,
};

use super::super::super::ancestry::{Level, asked, member_at, region_of, task_at};
use super::super::super::entry_point::{caller, store};
use super::super::{encoder, number};
use crate::block::{ImplicitTask, Shared, Thread};
use crate::ompt::event::flags;
use crate::task::Task;

/// The id of the parallel region at `level`, 0 the innermost, and its size. The levels end, as
/// those of `omp_get_level` do, at an initial task: that of a root, of a team of a league, or of a
/// target region.
fn parallel_region(level: c_int) -> Option<(u64, u32)> {
    let (thread, level) = asked(level)?;
    let mut found = None;
    for outward in 0..=level {
        let member = member_at(thread, outward)?;
        let (region, size) = region_of(thread, member, outward);
        found = Some((number::of_region(region), size)).filter(|(id, _)| *id != 0);
        found?;
    }
    found
}

/// `ompt_get_parallel_id`: 0 outside of parallel regions, for a thread that is idle, and at a level
/// that does not exist.
pub(super) unsafe extern "C" fn get_parallel_id(level: c_int) -> ompt_parallel_id_t {
    parallel_region(level).map_or(0, |(id, _)| id)
}

/// `ompt_get_parallel_team_size`: -1 at a level that does not exist.
pub(super) unsafe extern "C" fn get_parallel_team_size(level: c_int) -> c_int {
    parallel_region(level).map_or(-1, |(_, size)| size.cast_signed())
}

/// The task at `level`, 0 the one that the thread executes.
fn task(level: c_int) -> Option<(&'static Thread, Shared<Task>, Shared<ImplicitTask>, u32)> {
    let (thread, level) = asked(level)?;
    match task_at(thread, level) {
        Level::At((task, member)) => Some((thread, task, member, level)),
        Level::Between | Level::Nothing => None,
    }
}

/// `ompt_get_task_info`: 1 if there is a task at `level`, 0 the one that the thread executes.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_task_info(
    level: c_int,
    task_type: *mut ompt_task_type_t,
    task_id: *mut ompt_task_id_t,
    frame: *mut *mut ompt_frame_t,
    parallel_id: *mut ompt_parallel_id_t,
) -> ompt_bool {
    let Some((thread, task, member, level)) = task(level) else { return 0 };
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(task_type, type_of(task.ompt().flags.get()));
        store(task_id, number::of_task(task.ompt()));
        store(frame, encoder::frame(task.ompt()));
        store(parallel_id, number::of_region(region_of(thread, member, level).0));
    }
    1
}

/// The type of a task with these `flags`. The report's degenerate task does not occur: each region
/// has implicit tasks of its own.
fn type_of(flags: i32) -> ompt_task_type_t {
    if flags & flags::TASK_TARGET != 0 {
        ompt_task_type_t::TARGET
    } else if flags & flags::TASK_EXPLICIT != 0 {
        ompt_task_type_t::EXPLICIT
    } else if flags & flags::TASK_INITIAL != 0 {
        ompt_task_type_t::SERIAL
    } else {
        ompt_task_type_t::IMPLICIT
    }
}

/// `ompt_get_task_id`, which tools written before the report ask for: 0 at a level that does not
/// exist.
pub(super) unsafe extern "C" fn get_task_id(level: c_int) -> ompt_task_id_t {
    task(level).map_or(0, |(_, task, ..)| number::of_task(task.ompt()))
}

/// `ompt_get_task_frame`, which tools written before the report ask for: null at a level that does
/// not exist.
pub(super) unsafe extern "C" fn get_task_frame(level: c_int) -> *mut ompt_frame_t {
    task(level).map_or(ptr::null_mut(), |(_, task, ..)| encoder::frame(task.ompt()))
}

/// `ompt_get_idle_frame`, which tools written before the report ask for (§1.1.2): the frame of the
/// function in which a worker waits for work; null on other threads.
pub(super) unsafe extern "C" fn get_idle_frame() -> *mut c_void {
    caller().map_or(ptr::null_mut(), |thread| thread.ompt.report_2015.idle_frame.get().cast_mut())
}
