//! The interop construct (GOMP): there is no device with objects of another programming model.

use core::ffi::{c_int, c_uint, c_void};
use core::ptr;

use oxomp_core::devices;
use oxomp_core::{CallSite, Thread, task};
use oxomp_sys::gomp::gomp_target_flag;

use super::Dependences;
use super::device::device;
use crate::argument::{List, Out};

entry! {
    /// `void GOMP_interop(int device_num, int n_init, omp_interop_t **init, const void
    /// *target_targetsync, const void *prefer_type, int n_use, omp_interop_t *use, int n_destroy,
    /// omp_interop_t **destroy, unsigned flags, void **depend)`: initialized and destroyed objects
    /// become `omp_interop_none`.
    ///
    /// # Safety
    /// A3: each number is the length of the array behind it.
    pub unsafe fn GOMP_interop(
        number: c_int,
        inits: c_int,
        init: List<Out<*const c_void>>,
        _target_targetsync: *const c_void,
        _prefer_type: *const c_void,
        _uses: c_int,
        _used: *const c_void,
        destroys: c_int,
        destroy: List<Out<*const c_void>>,
        flags: c_uint,
        depend: Dependences,
    ) {
        let site = CallSite::here();
        devices::require(device(number), "interop", site);
        if let Some(depend) = depend.if_any() {
            let nowait = flags & gomp_target_flag::NOWAIT != 0;
            task::taskwait_depend(Thread::current(), depend.read(), nowait, site);
        }
        // SAFETY: A3 of the arguments.
        let objects = unsafe { [init.with(inits), destroy.with(destroys)] };
        objects.into_iter().flatten().for_each(|object| object.set(ptr::null()));
    }
}
