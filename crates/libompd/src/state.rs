//! The enumeration of the states of threads (`ompt_state_t`).

use core::ffi::CStr;

use oxomp_sys::ompd::ompd_rc_t;
use oxomp_sys::ompt::ompt_state_t;

use crate::Answer;

/// A state of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The state; `ompt_state_undefined` after the last one.
    pub(crate) state: ompt_state_t,
    /// The state's name; empty after the last one.
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
