//! Variables and tool's data of a scope (OpenMP 5.0 §5.5.9, 6.0 §41.9, §41.10).

use core::ffi::{c_char, c_int, c_void};

use oxomp_sys::ompd::{
    SEGMENT_NONE, ompd_address_space_handle_t, ompd_address_t, ompd_icv_id_t, ompd_rc_t,
    ompd_scope_t, ompd_word_t,
};

use super::arguments::Out;
use crate::library::answer;
use crate::{icv, strings, tool_data};

/// `ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *address_space,
/// ompd_icv_id_t current, ompd_icv_id_t *next_id, const char **next_icv_name,
/// ompd_scope_t *next_scope, int *more)`
#[unsafe(no_mangle)]
extern "C" fn ompd_enumerate_icvs(
    address_space: *mut ompd_address_space_handle_t,
    current: ompd_icv_id_t,
    next_id: Out<ompd_icv_id_t>,
    next_icv_name: Out<*const c_char>,
    next_scope: Out<ompd_scope_t>,
    more: Out<c_int>,
) -> ompd_rc_t {
    answer(|library| {
        library.space(address_space)?;
        let (id_place, name_place) = (next_id.place()?, next_icv_name.place()?);
        let (scope_place, more_place) = (next_scope.place()?, more.place()?);
        let next = icv::after(current)?;
        let name = strings::give(library.callbacks()?, next.name.to_bytes())?;
        id_place.set(next.id);
        name_place.set(name.as_ptr());
        scope_place.set(next.scope);
        more_place.set(next.has_more.into());
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
/// ompd_word_t *icv_value)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_icv_from_scope(
    handle: *mut c_void,
    scope: ompd_scope_t,
    icv_id: ompd_icv_id_t,
    icv_value: Out<ompd_word_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, handle) = library.any(handle)?;
        let place = icv_value.place()?;
        let value = icv::value(space, handle.entity, scope, icv_id, library.wrong_kind())?;
        let icv::Number { value, is_all } = value.number()?;
        place.set(value);
        if is_all { Ok(()) } else { Err(ompd_rc_t::INCOMPLETE) }
    })
}

/// `ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope,
/// ompd_icv_id_t icv_id, const char **icv_string)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_icv_string_from_scope(
    handle: *mut c_void,
    scope: ompd_scope_t,
    icv_id: ompd_icv_id_t,
    icv_string: Out<*const c_char>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, handle) = library.any(handle)?;
        let place = icv_string.place()?;
        let value = icv::value(space, handle.entity, scope, icv_id, library.wrong_kind())?;
        let text = value.text(space)?;
        place.set(strings::give(library.callbacks()?, &text)?.as_ptr());
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value,
/// ompd_address_t *ptr)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_tool_data(
    handle: *mut c_void,
    scope: ompd_scope_t,
    value: Out<ompd_word_t>,
    ptr: Out<ompd_address_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, handle) = library.any(handle)?;
        let (value_place, ptr_place) = (value.place()?, ptr.place()?);
        let word = tool_data::word(space, handle.entity, scope, library.wrong_kind())?;
        value_place.set(word.cast_signed());
        ptr_place.set(ompd_address_t { segment: SEGMENT_NONE, address: word });
        Ok(())
    })
}
