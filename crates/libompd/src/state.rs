//! The states of threads (`ompt_state_t`), and what a thread waits for.

use core::ffi::CStr;

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;
use oxomp_sys::ompt::ompt_state_t;

use crate::Answer;
use crate::address_space::AddressSpace;
use crate::thread::Thread;

/// The state of a thread, and the wait id that belongs to it; 0 for none.
pub(crate) fn of_thread(space: &AddressSpace, thread: Thread) -> Answer<(ompt_state_t, u64)> {
    let number = thread.number(space, Field::ThreadState)?;
    let state = ompt_state_t(i32::try_from(number).map_err(|_| ompd_rc_t::ERROR)?);
    if state.is_mutex_wait() {
        return Ok((state, thread.number(space, Field::ThreadWaitId)?));
    }
    // Without *debug-var* the state of a worker that has left a region stays that of the barrier at
    // its end.
    let in_barrier = state == ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL;
    if in_barrier && thread.current_task(space) == Err(ompd_rc_t::UNAVAILABLE) {
        return Ok((ompt_state_t::IDLE, 0));
    }
    Ok((state, 0))
}

/// A state of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Its number.
    pub(crate) state: ompt_state_t,
    /// Its name.
    pub(crate) name: &'static CStr,
    /// Whether others follow.
    pub(crate) has_more: bool,
}

/// The state after `current` in the enumeration, which starts after `ompt_state_undefined`. After
/// the last one comes `ompt_state_undefined`, with an empty name.
///
/// # Errors
/// `bad_input` if there is no such state.
pub(crate) fn after(current: i64) -> Answer<Listed> {
    let is_listed = |state: &ompt_state_t| *state != ompt_state_t::UNDEFINED;
    let mut rest = ompt_state_t::NAMES.iter().filter(|(state, _)| is_listed(state));
    if current != i64::from(ompt_state_t::UNDEFINED.0) {
        rest.find(|(state, _)| i64::from(state.0) == current).ok_or(ompd_rc_t::BAD_INPUT)?;
    }
    Ok(match rest.next() {
        Some((state, name)) => Listed { state: *state, name, has_more: rest.next().is_some() },
        None => Listed { state: ompt_state_t::UNDEFINED, name: c"", has_more: false },
    })
}
