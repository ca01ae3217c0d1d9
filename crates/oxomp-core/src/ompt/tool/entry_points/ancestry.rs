//! Entry points about the tasks and regions that the calling thread is in (OpenMP 5.2 §19.6.1.14 to
//! §19.6.1.16).

use core::ffi::{c_int, c_void};

use oxomp_sys::ompt::{ompt_data_t, ompt_frame_t, ompt_task_flag_t};

use super::super::ancestry::{Level, active_caller, asked, member_at, region_of, task_at};
use super::super::encoder_5x::{parallel_data, task_data, task_frame};
use super::super::entry_point::store;
use crate::block::{Shared, Thread};
use crate::ompt::event::flags;
use crate::task::Task;

/// Results of the functions: there is no such level, or it is there.
const NONE: c_int = 0;
const AVAILABLE: c_int = 2;
/// There is a task at level 0, but the calling thread is just going from one to another: a signal
/// handler may ask then.
const UNAVAILABLE: c_int = 1;

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
    let Some(member) = member_at(thread, level) else { return NONE };
    let (region, size) = region_of(thread, member, level);
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(data, parallel_data(region));
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
        store(region, parallel_data(region_of(thread, member, level).0));
        store(thread_num, member.thread_num().cast_signed());
    }
    AVAILABLE
}

/// `ompt_get_task_memory`: the data environment of the task that the calling thread executes, which
/// is one block of memory if the task is explicit. The runtime keeps no data of implicit and
/// initial tasks. The runtime has no second block to tell of.
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
