//! Threads (OpenMP 6.0 §41.4).

use core::ffi::{c_int, c_void};
use core::ptr::NonNull;

use oxomp_debuggee::Thread;
use oxomp_sys::ompd::{
    ompd_address_space_handle_t, ompd_parallel_handle_t, ompd_rc_t, ompd_size_t,
    ompd_thread_handle_t, ompd_thread_id_t,
};

use super::arguments::{Out, address, read_id, sign, write_id};
use crate::handles::Entity;
use crate::library::answer;
use crate::native_id::IdKind;

/// `ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
/// ompd_thread_handle_t **thread_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_thread_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    thread_num: c_int,
    thread_handle: Out<*mut ompd_thread_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id, parallel) = library.parallel(parallel_handle)?;
        let place = thread_handle.place()?;
        let thread = parallel.thread(space, thread_num)?;
        place.set_handle(library.hold(id, Entity::Thread(thread))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
/// ompd_size_t sizeof_thread_id, const void *thread_id, ompd_thread_handle_t **thread_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_thread_handle(
    handle: *mut ompd_address_space_handle_t,
    kind: ompd_thread_id_t,
    sizeof_thread_id: ompd_size_t,
    thread_id: *const c_void,
    thread_handle: Out<*mut ompd_thread_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, id) = library.space(handle)?;
        let place = thread_handle.place()?;
        let from = NonNull::new(thread_id.cast_mut().cast()).ok_or(ompd_rc_t::BAD_INPUT)?;
        let kind = IdKind::new(space, kind, sizeof_thread_id)?;
        let thread = Thread::with_id(space, kind.field(), read_id(from, sizeof_thread_id)?)?;
        place.set_handle(library.hold(id, Entity::Thread(thread))?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_rel_thread_handle(thread_handle: *mut ompd_thread_handle_t) -> ompd_rc_t {
    answer(|library| {
        library.release(address(thread_handle), |entity| matches!(entity, Entity::Thread(_)))
    })
}

/// `ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
/// ompd_thread_handle_t *thread_handle_2, int *cmp_value)`
#[unsafe(no_mangle)]
extern "C" fn ompd_thread_handle_compare(
    thread_handle_1: *mut ompd_thread_handle_t,
    thread_handle_2: *mut ompd_thread_handle_t,
    cmp_value: Out<c_int>,
) -> ompd_rc_t {
    answer(|library| {
        let (_, space_1, thread_1) = library.thread(thread_handle_1)?;
        let (_, space_2, thread_2) = library.thread(thread_handle_2)?;
        cmp_value.place()?.set(sign((space_1, thread_1).cmp(&(space_2, thread_2))));
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
/// ompd_size_t sizeof_thread_id, void *thread_id)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_thread_id(
    thread_handle: *mut ompd_thread_handle_t,
    kind: ompd_thread_id_t,
    sizeof_thread_id: ompd_size_t,
    thread_id: *mut c_void,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _, thread) = library.thread(thread_handle)?;
        let to = NonNull::new(thread_id.cast()).ok_or(ompd_rc_t::BAD_INPUT)?;
        let kind = IdKind::new(space, kind, sizeof_thread_id)?;
        write_id(to, sizeof_thread_id, thread.number(space, kind.field())?)
    })
}

/// `ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
/// ompd_address_space_handle_t **device)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_device_from_thread(
    thread_handle: *mut ompd_thread_handle_t,
    device: Out<*mut ompd_address_space_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (_, id, _) = library.thread(thread_handle)?;
        let place = device.place()?;
        place.set_handle(library.hold(id, Entity::AddressSpace)?);
        Ok(())
    })
}
