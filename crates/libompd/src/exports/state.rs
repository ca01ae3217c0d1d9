//! States of threads (OpenMP 6.0 §41.7).

use core::ffi::c_char;

use oxomp_sys::ompd::{
    ompd_address_space_handle_t, ompd_rc_t, ompd_thread_handle_t, ompd_wait_id_t, ompd_word_t,
};

use super::arguments::Out;
use crate::library::answer;
use crate::{state, strings};

/// `ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space,
/// ompd_word_t current_state, ompd_word_t *next_state, const char **next_state_name,
/// ompd_word_t *more_enums)`
#[unsafe(no_mangle)]
extern "C" fn ompd_enumerate_states(
    address_space: *mut ompd_address_space_handle_t,
    current_state: ompd_word_t,
    next_state: Out<ompd_word_t>,
    next_state_name: Out<*const c_char>,
    more_enums: Out<ompd_word_t>,
) -> ompd_rc_t {
    answer(|library| {
        library.space(address_space)?;
        let (state_place, name_place) = (next_state.place()?, next_state_name.place()?);
        let more_place = more_enums.place()?;
        let next = state::after(current_state)?;
        let name = strings::give(library.callbacks()?, next.name.to_bytes())?;
        state_place.set(next.state.0.into());
        name_place.set(name.as_ptr());
        more_place.set(next.has_more.into());
        Ok(())
    })
}

/// `ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state,
/// ompd_wait_id_t *wait_id)`; `wait_id` may be null.
#[unsafe(no_mangle)]
extern "C" fn ompd_get_state(
    thread_handle: *mut ompd_thread_handle_t,
    state: Out<ompd_word_t>,
    wait_id: Out<ompd_wait_id_t>,
) -> ompd_rc_t {
    answer(|library| {
        let (space, _, thread) = library.thread(thread_handle)?;
        let place = state.place()?;
        let (state, waits_for) = thread.state(space)?;
        place.set(state.0.into());
        if let Some(place) = wait_id.optional() {
            place.set(waits_for);
        }
        Ok(())
    })
}
