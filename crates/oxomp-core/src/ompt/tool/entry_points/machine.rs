//! Entry points about the runtime and the machine: states, mutexes, places, processors, devices,
//! unique numbers.

use core::ffi::{c_char, c_int};

use oxomp_base::icv::ProcBind;
use oxomp_base::places::Places;
use oxomp_base::{os, settings};
use oxomp_sys::ompt::{ompt_mutex_impl_none, ompt_state_t};

use super::super::entry_point::{store, store_all};
use crate::devices;
use crate::ompt::event::{MUTEX_IMPLEMENTATION, unique_id};

/// `ompt_enumerate_states`: 1 and the state after `current`, or 0 after the last.
///
/// The states come in the order of their numbers; `ompt_state_undefined`, the last of all, starts
/// the enumeration and is not in it. No thread is ever in some of them, such as those that OpenMP
/// 5.1 deprecated: a tool that enumerates them finds the name of each number that its header has.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn enumerate_states(
    current: ompt_state_t,
    next: *mut ompt_state_t,
    next_name: *mut *const c_char,
) -> c_int {
    let last = ompt_state_t::UNDEFINED;
    let index = if current == last {
        0
    } else {
        match ompt_state_t::NAMES.iter().position(|(state, _)| *state == current) {
            Some(index) => index + 1,
            None => return 0,
        }
    };
    let Some(&(state, name)) = ompt_state_t::NAMES.get(index).filter(|(state, _)| *state != last)
    else {
        return 0;
    };
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
    with_places(|places| places.len().cast_signed())
}

/// Calls `look` with the place list. A tool that is initialized at load asks before the settings
/// are read.
fn with_places<T>(look: impl FnOnce(&Places) -> T) -> T {
    match settings::known() {
        Some(settings) => look(&settings.places),
        None => look(&settings::places_ahead()),
    }
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
    with_places(|places| {
        let Some(place) = places.get(place_num) else { return 0 };
        let numbers = place.iter().map(u32::cast_signed);
        // SAFETY: `ids` is null or has room for `ids_size` numbers (`# Safety`).
        unsafe { store_all(ids, ids_size, place.len() as c_int, numbers) };
        place.len() as c_int
    })
}

/// `ompt_get_num_devices`: the number of non-host devices.
pub(super) unsafe extern "C" fn get_num_devices() -> c_int {
    devices::num_devices_if_known()
}

/// `ompt_get_unique_id`: a number that no other call returns in this run.
pub(in super::super) unsafe extern "C" fn get_unique_id() -> u64 {
    unique_id()
}

#[cfg(test)]
mod tests {
    use super::{enumerate_mutex_impls, enumerate_states, get_unique_id};
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
        assert_eq!(seen.len(), 24);
        assert!(seen.is_sorted_by(|one, next| one < next), "{seen:?}");
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
