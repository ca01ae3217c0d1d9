//! Entry points that enumerate states, kinds of locks and of atomic operations (the 2015 report
//! §5.1 to §5.3).

use core::ffi::{CStr, c_char, c_int};

use oxomp_sys::report_2015::{
    ompt_atomic_type_first, ompt_atomic_type_t, ompt_lock_type_first, ompt_lock_type_t,
    ompt_state_t,
};

use super::super::super::entry_point::store;
use crate::ompt::event::MUTEX_IMPLEMENTATION;

/// The number by which tools written before the report begin the enumeration of states. It is that
/// of a state of the report, `ompt_state_wait_target_data`, which the runtime reports as
/// `ompt_state_wait_target` and does not enumerate.
const FIRST_BEFORE_THE_REPORT: ompt_state_t = ompt_state_t(0x71);

/// The states that a thread may be in, in the order of their numbers.
fn states() -> impl Iterator<Item = (ompt_state_t, &'static CStr)> {
    let is_reported = |state: ompt_state_t| {
        !matches!(
            state,
            ompt_state_t::FIRST | ompt_state_t::WAIT_TARGET_DATA | ompt_state_t::WAIT_TARGET_UPDATE
        )
    };
    ompt_state_t::NAMES.iter().copied().filter(move |(state, _)| is_reported(*state))
}

/// `ompt_enumerate_state`: 1 and the state after `current`, or 0 after the last.
/// `ompt_state_first` begins the enumeration.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn enumerate_state(
    current: ompt_state_t,
    next: *mut ompt_state_t,
    next_name: *mut *const c_char,
) -> c_int {
    let begins = matches!(current, ompt_state_t::FIRST | FIRST_BEFORE_THE_REPORT);
    let following = if begins {
        states().next()
    } else {
        states().skip_while(|(state, _)| *state != current).nth(1)
    };
    let Some((state, name)) = following else { return 0 };
    // SAFETY: the pointers are null or writable (`# Safety`); the name is static.
    unsafe {
        store(next, state);
        store(next_name, name.as_ptr());
    }
    1
}

/// `ompt_enumerate_lock_type`: 1 and the type after `current`, or 0 after the last. There is one.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn enumerate_lock_type(
    current: ompt_lock_type_t,
    next: *mut ompt_lock_type_t,
    next_name: *mut *const c_char,
) -> c_int {
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe { only(current == ompt_lock_type_first, c"oxomp_lock_type_futex", next, next_name) }
}

/// `ompt_enumerate_atomic_type`: 1 and the type after `current`, or 0 after the last. There is one:
/// atomic operations for which the processor has no instruction take a lock.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn enumerate_atomic_type(
    current: ompt_atomic_type_t,
    next: *mut ompt_atomic_type_t,
    next_name: *mut *const c_char,
) -> c_int {
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe { only(current == ompt_atomic_type_first, c"oxomp_atomic_type_lock", next, next_name) }
}

/// The enumeration of one type, which every mutex has.
///
/// # Safety
/// The pointers are null or writable.
unsafe fn only(
    begins: bool,
    name: &'static CStr,
    next: *mut u32,
    next_name: *mut *const c_char,
) -> c_int {
    if begins {
        // SAFETY: the pointers are null or writable (`# Safety`); the name is static.
        unsafe {
            store(next, MUTEX_IMPLEMENTATION);
            store(next_name, name.as_ptr());
        }
    }
    c_int::from(begins)
}
