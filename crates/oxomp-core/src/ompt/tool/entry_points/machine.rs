//! Entry points about the runtime and the machine: states, mutexes, places, processors, devices,
//! unique numbers.

use core::ffi::{c_char, c_int};

use oxomp_sys::ompt::{ompt_mutex_impl_none, ompt_state_t};

use super::super::encoder_5x::MUTEX_IMPLEMENTATION;
use super::store::{store, store_all};
use crate::devices;
use crate::icv::ProcBind;
use crate::ompt::event::unique_id;
use crate::os;
use crate::settings;

/// All states but `ompt_state_undefined`, in the order of their numbers; that one starts the
/// enumeration and is not in it. Some of them no thread is ever in, such as those that OpenMP 5.1
/// deprecated: a tool that enumerates them finds the name of each number that its header has.
const STATES: [ompt_state_t; 24] = [
    ompt_state_t::WORK_SERIAL,
    ompt_state_t::WORK_PARALLEL,
    ompt_state_t::WORK_REDUCTION,
    ompt_state_t::WORK_FREE_AGENT,
    ompt_state_t::WORK_INDUCTION,
    ompt_state_t::WAIT_BARRIER,
    ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL,
    ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE,
    ompt_state_t::WAIT_BARRIER_IMPLICIT,
    ompt_state_t::WAIT_BARRIER_EXPLICIT,
    ompt_state_t::WAIT_BARRIER_IMPLEMENTATION,
    ompt_state_t::WAIT_BARRIER_TEAMS,
    ompt_state_t::WAIT_TASKWAIT,
    ompt_state_t::WAIT_TASKGROUP,
    ompt_state_t::WAIT_MUTEX,
    ompt_state_t::WAIT_LOCK,
    ompt_state_t::WAIT_CRITICAL,
    ompt_state_t::WAIT_ATOMIC,
    ompt_state_t::WAIT_ORDERED,
    ompt_state_t::WAIT_TARGET,
    ompt_state_t::WAIT_TARGET_MAP,
    ompt_state_t::WAIT_TARGET_UPDATE,
    ompt_state_t::IDLE,
    ompt_state_t::OVERHEAD,
];

/// `ompt_enumerate_states`: 1 and the state after `current`, or 0 after the last.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn enumerate_states(
    current: ompt_state_t,
    next: *mut ompt_state_t,
    next_name: *mut *const c_char,
) -> c_int {
    let index = if current == ompt_state_t::UNDEFINED {
        0
    } else {
        match STATES.iter().position(|&state| state == current) {
            Some(index) => index + 1,
            None => return 0,
        }
    };
    let Some(&state) = STATES.get(index) else { return 0 };
    let Some(name) = state.name() else { return 0 };
    // SAFETY: the pointers are null or writable (`# Safety`); the name is static.
    unsafe {
        store(next, state);
        store(next_name, name.as_ptr());
    }
    1
}

/// `ompt_enumerate_mutex_impls`: 1 and the implementation after `current`, or 0 after the last.
/// There is one.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn enumerate_mutex_impls(
    current: c_int,
    next: *mut c_int,
    next_name: *mut *const c_char,
) -> c_int {
    if current != ompt_mutex_impl_none {
        return 0;
    }
    // SAFETY: the pointers are null or writable (`# Safety`); the name is static.
    unsafe {
        store(next, MUTEX_IMPLEMENTATION.cast_signed());
        store(next_name, c"oxomp_mutex_impl_futex".as_ptr());
    }
    1
}

/// `ompt_get_num_procs`: the number of processors that the process may use: those of the caller's
/// present mask, or, if threads are bound, those found at the start.
pub(super) unsafe extern "C" fn get_num_procs() -> c_int {
    let bound = settings::known().filter(|settings| settings.icvs.bind_var != ProcBind::False);
    bound
        .map_or_else(os::available_processors, |settings| settings.globals.num_procs_var)
        .cast_signed()
}

/// `ompt_get_num_places`: the number of places in the initial task's partition.
pub(super) unsafe extern "C" fn get_num_places() -> c_int {
    settings::known().map_or(0, |settings| settings.places.len().cast_signed())
}

/// `ompt_get_place_proc_ids`: the number of processors of the place, 0 if there is no such place;
/// stores their numbers if there is room for all.
///
/// # Safety
/// `ids` is null or has room for `ids_size` numbers.
pub(super) unsafe extern "C" fn get_place_proc_ids(
    place_num: c_int,
    ids_size: c_int,
    ids: *mut c_int,
) -> c_int {
    let places = settings::known().map(|settings| &settings.places);
    let Some(place) = places.and_then(|places| places.get(place_num)) else { return 0 };
    let numbers = place.iter().map(u32::cast_signed);
    // SAFETY: `ids` is null or has room for `ids_size` numbers (`# Safety`).
    unsafe { store_all(ids, ids_size, place.len() as c_int, numbers) };
    place.len() as c_int
}

/// `ompt_get_num_devices`: the number of non-host devices.
pub(super) unsafe extern "C" fn get_num_devices() -> c_int {
    devices::num_devices_if_known()
}

/// `ompt_get_unique_id`: a number that no other call returns in this run.
pub(super) unsafe extern "C" fn get_unique_id() -> u64 {
    unique_id()
}

#[cfg(test)]
mod tests {
    use super::{STATES, enumerate_mutex_impls, enumerate_states, get_unique_id};
    use core::ffi::{CStr, c_char};
    use core::ptr;
    use oxomp_sys::ompt::{ompt_mutex_impl_none, ompt_state_t};
    use std::collections::HashSet;

    #[test]
    fn states_are_enumerated_once_each_with_their_names() {
        let (mut state, mut seen) = (ompt_state_t::UNDEFINED, Vec::new());
        loop {
            let mut name: *const c_char = ptr::null();
            // SAFETY: both pointers are writable.
            if unsafe { enumerate_states(state, &mut state, &mut name) } == 0 {
                break;
            }
            // SAFETY: a static string.
            assert!(unsafe { CStr::from_ptr(name) }.to_bytes().starts_with(b"ompt_state_"));
            seen.push(state);
        }
        assert_eq!(seen, STATES);
        let (next, name) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: null pointers are allowed.
        unsafe {
            assert_eq!(enumerate_states(ompt_state_t::UNDEFINED, next, name), 1);
            assert_eq!(enumerate_states(ompt_state_t(0x7777), next, name), 0);
        }
    }

    #[test]
    fn there_is_one_implementation_of_mutexes() {
        let (mut implementation, mut name) = (ompt_mutex_impl_none, ptr::null());
        // SAFETY: both pointers are writable.
        unsafe {
            let answer = enumerate_mutex_impls(implementation, &mut implementation, &mut name);
            assert_eq!(answer, 1);
            assert!(!name.is_null());
            let answer = enumerate_mutex_impls(implementation, &mut implementation, &mut name);
            assert_eq!(answer, 0);
        }
    }

    #[test]
    fn unique_ids_are_unique_across_threads() {
        let thread = || {
            std::thread::spawn(|| {
                // SAFETY: no precondition.
                (0..1000).map(|_| unsafe { get_unique_id() }).collect::<Vec<_>>()
            })
        };
        let ids: Vec<u64> =
            [thread(), thread()].into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert!(!ids.contains(&0));
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 2000);
    }
}
