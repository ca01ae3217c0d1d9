//! Affinity masks (kmp): sets of processors that a thread may be bound to.
//!
//! A mask is a pointer to a [`ProcSet`] of ours. The thread stays where it was put until the
//! runtime binds it to another place of its own.

use core::ffi::c_int;

use oxomp_base::places::ProcSet;
use oxomp_base::{os, settings};

use crate::argument::{ByRef, InOut, Out};

/// The answer to a number that no processor has.
const NO_PROCESSOR: c_int = -1;
/// The answer to a processor that the process may not use.
const NOT_AVAILABLE: c_int = -2;

/// `kmp_affinity_mask_t *`: the user's variable for a mask (rule A15).
#[repr(transparent)]
#[derive(Debug)]
pub struct Mask<'a>(Option<InOut<'a, *mut ProcSet>>);

impl Mask<'_> {
    /// The set, if the variable has one.
    fn get(&self) -> Option<&ProcSet> {
        let set = self.0.as_ref()?.get();
        // SAFETY: A15: null or a set of `kmp_create_affinity_mask`, which no call changes now.
        unsafe { set.as_ref() }
    }

    /// The set, to be changed.
    fn get_mut(&mut self) -> Option<&mut ProcSet> {
        let set = self.0.as_ref()?.get();
        // SAFETY: A15: null or a set of `kmp_create_affinity_mask`, which no other call uses now.
        unsafe { set.as_mut() }
    }
}

/// Changes a mask by a processor: 0, or the answer that says why not.
fn change(mut mask: Mask, number: c_int, change: impl FnOnce(&mut ProcSet, u32)) -> c_int {
    let Some(set) = mask.get_mut() else { return NO_PROCESSOR };
    match processor(number) {
        Ok(processor) => {
            change(set, processor);
            0
        }
        Err(answer) => answer,
    }
}

/// Adds a processor: 0, or the answer that says why not.
fn insert(number: c_int, mask: Mask) -> c_int {
    change(mask, number, ProcSet::insert)
}

/// Takes a processor out: 0, or the answer that says why not.
fn remove(number: c_int, mask: Mask) -> c_int {
    change(mask, number, |set, processor| {
        *set = set.iter().filter(|&other| other != processor).collect();
    })
}

/// Whether a processor is in the mask, or the answer that says why that cannot be told.
fn contains(number: c_int, mask: &Mask) -> c_int {
    let Some(set) = mask.get() else { return NO_PROCESSOR };
    match processor(number) {
        Ok(processor) => c_int::from(set.contains(processor)),
        Err(NOT_AVAILABLE) => 0,
        Err(answer) => answer,
    }
}

/// The processor, if it is one that the process may use; else the answer of the routines.
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
    pub fn kmp_create_affinity_mask | kmp_create_affinity_mask_(mask: Out<Option<Box<ProcSet>>>) {
        mask.set(Some(Box::default()));
    }

    /// `void kmp_destroy_affinity_mask(void **mask)`
    pub fn kmp_destroy_affinity_mask | kmp_destroy_affinity_mask_(
        mask: InOut<Option<Box<ProcSet>>>,
    ) {
        drop(mask.replace(None));
    }

    /// `int kmp_get_affinity_max_proc(void)`: processors have numbers below this.
    pub fn kmp_get_affinity_max_proc | kmp_get_affinity_max_proc_() -> c_int {
        os::configured_processors().cast_signed()
    }

    /// `int kmp_set_affinity_mask_proc(int proc, void **mask)`: adds a processor. 0, or
    /// the answer that says why not.
    pub fn kmp_set_affinity_mask_proc | kmpc_set_affinity_mask_proc(
        proc: c_int,
        mask: Mask,
    ) -> c_int {
        insert(proc, mask)
    }

    /// `int kmp_unset_affinity_mask_proc(int proc, void **mask)`: takes a processor out. 0,
    /// or the answer that says why not.
    pub fn kmp_unset_affinity_mask_proc | kmpc_unset_affinity_mask_proc(
        proc: c_int,
        mask: Mask,
    ) -> c_int {
        remove(proc, mask)
    }

    /// `int kmp_get_affinity_mask_proc(int proc, void **mask)`: whether a processor is in the mask,
    /// or the answer that says why that cannot be told.
    pub fn kmp_get_affinity_mask_proc | kmpc_get_affinity_mask_proc(
        proc: c_int,
        mask: Mask,
    ) -> c_int {
        contains(proc, &mask)
    }

    /// `int kmp_set_affinity(void **mask)`: binds the calling thread. 0, or the system's error
    /// number.
    pub fn kmp_set_affinity | kmp_set_affinity_(mask: Mask) -> c_int {
        match mask.get() {
            Some(set) => os::set_affinity(set.words()).err().unwrap_or(0),
            None => libc::EINVAL,
        }
    }

    /// `int kmp_get_affinity(void **mask)`: stores the processors that the calling thread is bound
    /// to. 0, or the system's error number.
    pub fn kmp_get_affinity | kmp_get_affinity_(mask: Mask) -> c_int {
        let mut mask = mask;
        let Some(set) = mask.get_mut() else { return libc::EINVAL };
        *set = ProcSet::from_words(os::affinity(&mut [0; 1024]));
        if set.is_empty() { libc::ENOSYS } else { 0 }
    }

    /// `int kmp_set_thread_affinity_mask_initial(void)`: the calling thread may run on all
    /// processors that the process had when it started. 0, or the system's error number.
    pub fn kmp_set_thread_affinity_mask_initial() -> c_int {
        os::set_affinity(settings::get().available.words()).err().unwrap_or(0)
    }

    /// `kmp_set_affinity_mask_proc` called from Fortran.
    pub fn kmp_set_affinity_mask_proc_(proc: ByRef<c_int>, mask: Mask) -> c_int {
        insert(proc.get(), mask)
    }

    /// `kmp_unset_affinity_mask_proc` called from Fortran.
    pub fn kmp_unset_affinity_mask_proc_(proc: ByRef<c_int>, mask: Mask) -> c_int {
        remove(proc.get(), mask)
    }

    /// `kmp_get_affinity_mask_proc` called from Fortran.
    pub fn kmp_get_affinity_mask_proc_(proc: ByRef<c_int>, mask: Mask) -> c_int {
        contains(proc.get(), &mask)
    }
}

#[cfg(test)]
mod tests {
    use super::{Mask, NO_PROCESSOR, ProcSet, contains};
    use core::mem::transmute;
    use core::ptr;

    fn mask(variable: *mut *mut ProcSet) -> Mask<'static> {
        // SAFETY: both are an address, which may be null.
        unsafe { transmute::<*mut *mut ProcSet, Mask>(variable) }
    }

    #[test]
    fn null_is_no_mask() {
        assert!(mask(ptr::null_mut()).get().is_none());
        let mut none = ptr::null_mut();
        assert!(mask(&raw mut none).get().is_none());
        assert!(mask(&raw mut none).get_mut().is_none());
        assert_eq!(contains(0, &mask(&raw mut none)), NO_PROCESSOR);
    }

    #[test]
    fn a_mask_is_the_set_in_the_variable() {
        let mut set = ProcSet::default();
        let mut variable = &raw mut set;
        mask(&raw mut variable).get_mut().expect("a set").insert(3);
        assert!(mask(&raw mut variable).get().expect("a set").contains(3));
        assert!(set.contains(3));
    }
}
