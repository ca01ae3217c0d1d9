//! Parallel regions (OpenMP 6.0 §41.5).

use core::ffi::c_int;

use oxomp_sys::ompd::{
    ompd_parallel_handle_t, ompd_rc_t, ompd_task_handle_t, ompd_thread_handle_t,
};

use super::arguments::{Out, address, sign};
use crate::handles::Entity;
use crate::library::answer;

/// `ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *thread_handle,
/// ompd_parallel_handle_t **parallel_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_curr_parallel_handle(
    thread_handle: *mut ompd_thread_handle_t,
    parallel_handle: Out<*mut ompd_parallel_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, thread) = library.thread(thread_handle)?;
        let place = parallel_handle.place()?;
        let parallel = thread.current_parallel(space)?;
        place.set_handle(library.hold(id, Entity::Parallel(parallel))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *parallel_handle,
/// ompd_parallel_handle_t **enclosing_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_enclosing_parallel_handle(
    parallel_handle: *mut ompd_parallel_handle_t,
    enclosing_handle: Out<*mut ompd_parallel_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, parallel) = library.parallel(parallel_handle)?;
        let place = enclosing_handle.place()?;
        let enclosing = parallel.enclosing(space)?;
        place.set_handle(library.hold(id, Entity::Parallel(enclosing))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *task_handle,
/// ompd_parallel_handle_t **parallel_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_task_parallel_handle(
    task_handle: *mut ompd_task_handle_t,
    parallel_handle: Out<*mut ompd_parallel_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, task) = library.task(task_handle)?;
        let place = parallel_handle.place()?;
        let parallel = task.region(space)?;
        place.set_handle(library.hold(id, Entity::Parallel(parallel))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_rel_parallel_handle(parallel_handle: *mut ompd_parallel_handle_t) -> ompd_rc_t {
    answer(|library| {
        library.release(address(parallel_handle), |entity| matches!(entity, Entity::Parallel(_)))
    })
}

/// `ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
/// ompd_parallel_handle_t *parallel_handle_2, int *cmp_value)`
#[unsafe(no_mangle)]
extern "C" fn ompd_parallel_handle_compare(
    parallel_handle_1: *mut ompd_parallel_handle_t,
    parallel_handle_2: *mut ompd_parallel_handle_t,
    cmp_value: Out<c_int>,
) -> ompd_rc_t {
    answer(|library| {
        let (_, space_1, parallel_1) = library.parallel(parallel_handle_1)?;
        let (_, space_2, parallel_2) = library.parallel(parallel_handle_2)?;
        cmp_value.place()?.set(sign((space_1, parallel_1).cmp(&(space_2, parallel_2))));
        Ok(())
    })
}
