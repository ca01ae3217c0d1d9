//! Tasks (OpenMP 6.0 §41.6).

use core::ffi::c_int;

use oxomp_debuggee::Frame;
use oxomp_sys::ompd::{
    SEGMENT_NONE, ompd_address_t, ompd_frame_info_t, ompd_parallel_handle_t, ompd_rc_t,
    ompd_task_handle_t, ompd_thread_handle_t,
};

use super::arguments::{Out, address, sign};
use crate::handles::Entity;
use crate::library::answer;

/// `ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle,
/// ompd_task_handle_t **task_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_curr_task_handle(
    thread_handle: *mut ompd_thread_handle_t,
    task_handle: Out<*mut ompd_task_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, thread) = library.thread(thread_handle)?;
        let place = task_handle.place()?;
        let task = thread.current_task(space)?;
        place.set_handle(library.hold(id, Entity::Task(task))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
/// ompd_task_handle_t **generating_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_generating_task_handle(
    task_handle: *mut ompd_task_handle_t,
    generating_handle: Out<*mut ompd_task_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, task) = library.task(task_handle)?;
        let place = generating_handle.place()?;
        let generating = task.generating(space)?;
        place.set_handle(library.hold(id, Entity::Task(generating))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
/// ompd_task_handle_t **scheduling_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_scheduling_task_handle(
    task_handle: *mut ompd_task_handle_t,
    scheduling_handle: Out<*mut ompd_task_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, task) = library.task(task_handle)?;
        let place = scheduling_handle.place()?;
        let scheduling = task.scheduling(space)?;
        place.set_handle(library.hold(id, Entity::Task(scheduling))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
/// ompd_task_handle_t **task_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_task_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    thread_num: c_int,
    task_handle: Out<*mut ompd_task_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, parallel) = library.parallel(parallel_handle)?;
        let place = task_handle.place()?;
        let task = parallel.task(space, thread_num)?;
        place.set_handle(library.hold(id, Entity::Task(task))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_rel_task_handle(task_handle: *mut ompd_task_handle_t) -> ompd_rc_t {
    answer(|library| {
        library.release(address(task_handle), |entity| matches!(entity, Entity::Task(_)))
    })
}

/// `ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1,
/// ompd_task_handle_t *task_handle_2, int *cmp_value)`
#[unsafe(no_mangle)]
extern "C" fn ompd_task_handle_compare(
    task_handle_1: *mut ompd_task_handle_t,
    task_handle_2: *mut ompd_task_handle_t,
    cmp_value: Out<c_int>,
) -> ompd_rc_t {
    answer(|library| {
        let (_, space_1, task_1) = library.task(task_handle_1)?;
        let (_, space_2, task_2) = library.task(task_handle_2)?;
        cmp_value.place()?.set(sign((space_1, task_1.key()).cmp(&(space_2, task_2.key()))));
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_task_function(
    task_handle: *mut ompd_task_handle_t,
    entry_point: Out<ompd_address_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _, task) = library.task(task_handle)?;
        let place = entry_point.place()?;
        let address = task.function(space)?;
        place.set(ompd_address_t { segment: SEGMENT_NONE, address });
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
/// ompd_frame_info_t *enter_frame)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_task_frame(
    task_handle: *mut ompd_task_handle_t,
    exit_frame: Out<ompd_frame_info_t>,
    enter_frame: Out<ompd_frame_info_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _, task) = library.task(task_handle)?;
        let (exit_place, enter_place) = (exit_frame.place()?, enter_frame.place()?);
        let info = |frame: Frame| ompd_frame_info_t {
            frame_address: ompd_address_t { segment: SEGMENT_NONE, address: frame.address },
            frame_flag: frame.flags,
        };
        let (exit, enter) = task.frames(space)?;
        exit_place.set(info(exit));
        enter_place.set(info(enter));
        Ok(())
    })
}
