//! Address spaces: processes and devices (OpenMP 6.0 §41.1, §41.2).

use core::ffi::{c_char, c_int, c_void};

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{
    ompd_address_space_context_t, ompd_address_space_handle_t, ompd_device_t, ompd_rc_t,
    ompd_size_t, ompd_thread_id_t, ompd_word_t,
};

use super::arguments::{Out, address};
use crate::callbacks::Context;
use crate::handles::Entity;
use crate::library::answer;
use crate::{control_vars, native_id, strings};

/// `ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
/// ompd_address_space_handle_t **host_handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_process_initialize(
    context: *mut ompd_address_space_context_t,
    host_handle: Out<*mut ompd_address_space_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        let place = host_handle.place()?;
        let context = Context::new(context).ok_or(ompd_rc_t::BAD_INPUT)?;
        place.set_handle(library.open(context)?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *host_handle,
/// ompd_address_space_context_t *device_context, ompd_device_t kind, ompd_size_t sizeof_id,
/// void *id, ompd_address_space_handle_t **device_handle)`
///
/// The runtime executes target regions on the host, whose address space is the process's: no kind
/// of device has an address space of its own.
#[unsafe(no_mangle)]
extern "C" fn ompd_device_initialize(
    host_handle: *mut ompd_address_space_handle_t,
    device_context: *mut ompd_address_space_context_t,
    _kind: ompd_device_t,
    _sizeof_id: ompd_size_t,
    id: *mut c_void,
    device_handle: Out<*mut ompd_address_space_handle_t>,
) -> ompd_rc_t {
    answer(|library| {
        library.space(host_handle)?;
        device_handle.place()?;
        if device_context.is_null() || id.is_null() {
            return Err(ompd_rc_t::BAD_INPUT);
        }
        Err(ompd_rc_t::UNSUPPORTED)
    })
}

/// `ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
/// ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes, int *count)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_device_thread_id_kinds(
    device_handle: *mut ompd_address_space_handle_t,
    kinds: Out<*mut ompd_thread_id_t>,
    thread_id_sizes: Out<*mut ompd_size_t>,
    count: Out<c_int>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _) = library.space(device_handle)?;
        let (kinds, sizes, count) = (kinds.place()?, thread_id_sizes.place()?, count.place()?);
        let callbacks = library.callbacks()?;
        let (numbers, bytes) = native_id::kinds(space.word_size());
        let numbers_given = strings::give_numbers(callbacks, &numbers)?;
        let bytes_given = match strings::give_numbers(callbacks, &bytes) {
            Ok(given) => given,
            Err(code) => {
                callbacks.free(numbers_given.cast());
                return Err(code);
            }
        };
        kinds.set(numbers_given.as_ptr());
        sizes.set(bytes_given.as_ptr());
        count.set(numbers.len() as c_int);
        Ok(())
    })
}

/// `ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)`
#[unsafe(no_mangle)]
extern "C" fn ompd_rel_address_space_handle(handle: *mut ompd_address_space_handle_t) -> ompd_rc_t {
    answer(|library| library.release(address(handle), |entity| entity == Entity::AddressSpace))
}

/// `ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space,
/// ompd_word_t *omp_version)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_omp_version(
    address_space: *mut ompd_address_space_handle_t,
    omp_version: Out<ompd_word_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _) = library.space(address_space)?;
        let place = omp_version.place()?;
        place.set(space.signed(space.process(), Field::ProcessOpenmpVersion)?);
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *address_space,
/// const char **string)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_omp_version_string(
    address_space: *mut ompd_address_space_handle_t,
    string: Out<*const c_char>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _) = library.space(address_space)?;
        let place = string.place()?;
        let text = space.bytes(space.process(), Field::ProcessRuntimeVersion)?;
        place.set(strings::give(library.callbacks()?, &text)?.as_ptr());
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *address_space,
/// const char *const **control_vars)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_display_control_vars(
    address_space: *mut ompd_address_space_handle_t,
    control_vars: Out<*const *const c_char>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _) = library.space(address_space)?;
        let place = control_vars.place()?;
        let assignments = control_vars::assignments(space)?;
        let callbacks = library.callbacks()?;
        place.set(library.control_vars.give(callbacks, &assignments)?.as_ptr());
        Ok(())
    })
}

/// `ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars)`
#[unsafe(no_mangle)]
extern "C" fn ompd_rel_display_control_vars(
    control_vars: *const *const *const c_char,
) -> ompd_rc_t {
    answer(|library| {
        library.callbacks()?;
        // SAFETY: the debugger passes null, or the address of the variable with the vector's
        // address.
        let vector = unsafe { control_vars.as_ref() }.ok_or(ompd_rc_t::BAD_INPUT)?;
        library.control_vars.release(vector.addr())
    })
}
