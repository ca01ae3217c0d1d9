//! Affinity masks (kmp): sets of processors that a thread may be bound to.
//!
//! A mask is a pointer to a [`ProcSet`] of ours. The thread stays where it was put until the runtime
//! binds it to another place of its own.

use core::ffi::c_int;
use core::ptr;

use oxomp_core::places::ProcSet;
use oxomp_core::{os, settings};

/// `kmp_affinity_mask_t`.
type Mask = *mut ProcSet;

/// A processor that is no number of one.
const NO_PROCESSOR: c_int = -1;
/// One that the process may not use.
const NOT_AVAILABLE: c_int = -2;

/// The mask behind a user's variable; `None` if there is none.
///
/// # Safety
/// `mask` is null, or points to null or to a mask.
unsafe fn set<'a>(mask: *mut Mask) -> Option<&'a mut ProcSet> {
    // SAFETY: by contract.
    unsafe { mask.as_mut().and_then(|mask| mask.as_mut()) }
}

/// Changes a mask by a processor: 0, or what is wrong.
///
/// # Safety
/// As for `set`.
unsafe fn change(mask: *mut Mask, number: c_int, change: impl FnOnce(&mut ProcSet, u32)) -> c_int {
    // SAFETY: by contract.
    let Some(set) = (unsafe { set(mask) }) else { return NO_PROCESSOR };
    match processor(number) {
        Ok(processor) => {
            change(set, processor);
            0
        }
        Err(answer) => answer,
    }
}

/// The processor, if it is one that the process may use; else what the routines answer.
fn processor(number: c_int) -> Result<u32, c_int> {
    match u32::try_from(number) {
        Ok(processor) if number < kmp_get_affinity_max_proc() => {
            let usable = settings::get().available.contains(processor);
            if usable { Ok(processor) } else { Err(NOT_AVAILABLE) }
        }
        _ => Err(NO_PROCESSOR),
    }
}

entry! {
    /// `void kmp_create_affinity_mask(void **mask)`: an empty one.
    ///
    /// # Safety
    /// `mask` points to a variable.
    pub unsafe fn kmp_create_affinity_mask | kmp_create_affinity_mask_(mask: *mut Mask) {
        // SAFETY: by contract.
        unsafe { *mask = Box::into_raw(Box::default()) };
    }

    /// `void kmp_destroy_affinity_mask(void **mask)`
    ///
    /// # Safety
    /// `mask` points to null or to a mask.
    pub unsafe fn kmp_destroy_affinity_mask | kmp_destroy_affinity_mask_(mask: *mut Mask) {
        // SAFETY: by contract; a mask is a box of `kmp_create_affinity_mask`.
        unsafe {
            let set = mask.replace(ptr::null_mut());
            if !set.is_null() {
                drop(Box::from_raw(set));
            }
        }
    }

    /// `int kmp_get_affinity_max_proc(void)`: processors have numbers below this.
    pub fn kmp_get_affinity_max_proc | kmp_get_affinity_max_proc_() -> c_int {
        os::configured_processors().cast_signed()
    }

    /// `int kmp_set_affinity_mask_proc(int proc, void **mask)`: adds a processor. 0, or what is wrong.
    ///
    /// # Safety
    /// `mask` points to null or to a mask.
    pub unsafe fn kmp_set_affinity_mask_proc | kmpc_set_affinity_mask_proc(
        proc: c_int,
        mask: *mut Mask,
    ) -> c_int {
        // SAFETY: by contract.
        unsafe { change(mask, proc, |set, processor| set.insert(processor)) }
    }

    /// `int kmp_unset_affinity_mask_proc(int proc, void **mask)`: takes one out. 0, or what is wrong.
    ///
    /// # Safety
    /// `mask` points to null or to a mask.
    pub unsafe fn kmp_unset_affinity_mask_proc | kmpc_unset_affinity_mask_proc(
        proc: c_int,
        mask: *mut Mask,
    ) -> c_int {
        // SAFETY: by contract.
        unsafe {
            change(mask, proc, |set, processor| {
                *set = set.iter().filter(|&other| other != processor).collect();
            })
        }
    }

    /// `int kmp_get_affinity_mask_proc(int proc, void **mask)`: whether a processor is in the mask, or
    /// what is wrong.
    ///
    /// # Safety
    /// `mask` points to null or to a mask.
    pub unsafe fn kmp_get_affinity_mask_proc | kmpc_get_affinity_mask_proc(
        proc: c_int,
        mask: *mut Mask,
    ) -> c_int {
        // SAFETY: by contract.
        let Some(set) = (unsafe { set(mask) }) else { return NO_PROCESSOR };
        match processor(proc) {
            Ok(processor) => c_int::from(set.contains(processor)),
            Err(NOT_AVAILABLE) => 0,
            Err(answer) => answer,
        }
    }

    /// `int kmp_set_affinity(void **mask)`: binds the calling thread. 0, or the system's error number.
    ///
    /// # Safety
    /// `mask` points to null or to a mask.
    pub unsafe fn kmp_set_affinity | kmp_set_affinity_(mask: *mut Mask) -> c_int {
        // SAFETY: by contract.
        match unsafe { set(mask) } {
            Some(set) => os::set_affinity(set.words()).err().unwrap_or(0),
            None => libc::EINVAL,
        }
    }

    /// `int kmp_get_affinity(void **mask)`: stores what the calling thread is bound to. 0, or the
    /// system's error number.
    ///
    /// # Safety
    /// `mask` points to null or to a mask.
    pub unsafe fn kmp_get_affinity | kmp_get_affinity_(mask: *mut Mask) -> c_int {
        // SAFETY: by contract.
        let Some(set) = (unsafe { set(mask) }) else { return libc::EINVAL };
        *set = ProcSet::from_words(os::affinity(&mut [0; 1024]));
        if set.is_empty() { libc::ENOSYS } else { 0 }
    }

    /// `int kmp_set_thread_affinity_mask_initial(void)`: the calling thread may run on all processors
    /// that the process had when it started. 0, or the system's error number.
    pub fn kmp_set_thread_affinity_mask_initial() -> c_int {
        os::set_affinity(settings::get().available.words()).err().unwrap_or(0)
    }

    /// `kmp_set_affinity_mask_proc` called from Fortran.
    ///
    /// # Safety
    /// `proc` points to an integer, `mask` to null or to a mask.
    pub unsafe fn kmp_set_affinity_mask_proc_(proc: *const c_int, mask: *mut Mask) -> c_int {
        // SAFETY: by contract.
        unsafe { kmp_set_affinity_mask_proc(*proc, mask) }
    }

    /// `kmp_unset_affinity_mask_proc` called from Fortran.
    ///
    /// # Safety
    /// `proc` points to an integer, `mask` to null or to a mask.
    pub unsafe fn kmp_unset_affinity_mask_proc_(proc: *const c_int, mask: *mut Mask) -> c_int {
        // SAFETY: by contract.
        unsafe { kmp_unset_affinity_mask_proc(*proc, mask) }
    }

    /// `kmp_get_affinity_mask_proc` called from Fortran.
    ///
    /// # Safety
    /// `proc` points to an integer, `mask` to null or to a mask.
    pub unsafe fn kmp_get_affinity_mask_proc_(proc: *const c_int, mask: *mut Mask) -> c_int {
        // SAFETY: by contract.
        unsafe { kmp_get_affinity_mask_proc(*proc, mask) }
    }
}
