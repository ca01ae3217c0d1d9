//! Device memory (OpenMP 5.2 §18.8, 6.0 §25): that of the host, which is the one device of this
//! library. If the program has loaded libomptarget, its routines answer.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_core::devices::{has_libomptarget, is_host, is_host_or_allowed};
use oxomp_core::target::{self, Fill};
use oxomp_core::{CallSite, Thread};

use super::device_operation::{self, Asked, FAILED, wait_for};
use super::libomptarget::forward;
use crate::argument::{
    Address, GccDependObject, KmpDependObject, List, gcc_dependences, kmp_dependences,
};

/// The fill that the routine `name` is asked for, if the device is the host and there is memory.
fn fill(
    name: &str,
    (destination, value, bytes): (*mut c_void, c_int, usize),
    device: c_int,
    site: CallSite,
) -> Asked<Fill> {
    if !is_host_or_allowed(device, name, site) || destination.is_null() || bytes == 0 {
        return Err(FAILED);
    }
    Ok((Fill { destination, value: value as u8, bytes }, Box::default()))
}

entry! {
    /// `void *omp_target_alloc(size_t size, int device_num)`
    pub fn omp_target_alloc(size: usize, device_num: c_int) -> *mut c_void {
        let site = CallSite::here();
        forward!(c"omp_target_alloc"(size: usize, device_num: c_int) -> *mut c_void);
        if !is_host_or_allowed(device_num, "omp_target_alloc", site) {
            return ptr::null_mut();
        }
        target::alloc(Thread::current(), size, site)
    }

    /// `void omp_target_free(void *device_ptr, int device_num)`
    ///
    /// # Safety
    /// A14: null, or memory of `omp_target_alloc` that the program gives back.
    pub unsafe fn omp_target_free(memory: *mut c_void, device_num: c_int) {
        let site = CallSite::here();
        forward!(c"omp_target_free"(memory: *mut c_void, device_num: c_int) -> ());
        if is_host_or_allowed(device_num, "omp_target_free", site) {
            // SAFETY: A14 of the argument.
            unsafe { target::free(Thread::current(), memory, site) };
        }
    }

    /// `int omp_target_is_present(const void *ptr, int device_num)`
    pub fn omp_target_is_present(address: Address, device_num: c_int) -> c_int {
        forward!(c"omp_target_is_present"(address: Address, device_num: c_int) -> c_int);
        c_int::from(is_host(device_num))
    }

    /// `int omp_target_is_accessible(const void *ptr, size_t size, int device_num)`
    pub fn omp_target_is_accessible(
        address: Address,
        size: usize,
        device_num: c_int,
    ) -> c_int {
        forward!(c"omp_target_is_accessible"(
            address: Address,
            size: usize,
            device_num: c_int,
        ) -> c_int);
        c_int::from(is_host(device_num))
    }

    /// `void *omp_target_memset(void *ptr, int val, size_t count, int device_num)`: `ptr`.
    ///
    /// # Safety
    /// A21: `bytes` bytes are writable.
    pub unsafe fn omp_target_memset(
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device_num: c_int,
    ) -> *mut c_void {
        let site = CallSite::here();
        forward!(c"omp_target_memset"(
            memory: *mut c_void,
            value: c_int,
            bytes: usize,
            device_num: c_int,
        ) -> *mut c_void);
        let asked = fill("omp_target_memset", (memory, value, bytes), device_num, site);
        // SAFETY: A21 of the arguments.
        unsafe { device_operation::now(asked, site) };
        memory
    }

    /// `void *omp_target_memset_async(void *ptr, int val, size_t count, int device_num,
    /// int depobj_count, omp_depend_t *depobj_list)`, for programs of clang and flang.
    ///
    /// # Safety
    /// A21: `bytes` bytes are writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memset_async@["not default VERSION"](
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device_num: c_int,
        count: c_int,
        objects: List<KmpDependObject>,
    ) -> *mut c_void {
        let site = CallSite::here();
        forward!(c"omp_target_memset_async"(
            memory: *mut c_void,
            value: c_int,
            bytes: usize,
            device_num: c_int,
            count: c_int,
            objects: List<'_, KmpDependObject>,
        ) -> *mut c_void);
        let asked = fill("omp_target_memset_async", (memory, value, bytes), device_num, site);
        // SAFETY: A3 and A21 of the arguments.
        unsafe { device_operation::later(asked, kmp_dependences(count, objects), site) };
        memory
    }

    /// `omp_target_memset_async` for programs of gcc and gfortran.
    ///
    /// # Safety
    /// A21: `bytes` bytes are writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memset_async_of_gcc = omp_target_memset_async@["GOMP_6.0.1"](
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device_num: c_int,
        count: c_int,
        objects: List<GccDependObject>,
    ) -> *mut c_void {
        let site = CallSite::here();
        // SAFETY: A3 of the arguments.
        let dependences = unsafe { gcc_dependences(count, objects) };
        if has_libomptarget() {
            wait_for(dependences, site);
            // SAFETY: A21 of the arguments.
            return unsafe { omp_target_memset(memory, value, bytes, device_num) };
        }
        let asked = fill("omp_target_memset_async", (memory, value, bytes), device_num, site);
        // SAFETY: A21 of the arguments.
        unsafe { device_operation::later(asked, dependences, site) };
        memory
    }

    /// `int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size,
    /// size_t device_offset, int device_num)`: not 0, since the host's variables are its own.
    pub fn omp_target_associate_ptr(
        host_address: Address,
        device_address: Address,
        size: usize,
        offset: usize,
        device_num: c_int,
    ) -> c_int {
        let site = CallSite::here();
        forward!(c"omp_target_associate_ptr"(
            host_address: Address,
            device_address: Address,
            size: usize,
            offset: usize,
            device_num: c_int,
        ) -> c_int);
        is_host_or_allowed(device_num, "omp_target_associate_ptr", site);
        FAILED
    }

    /// `int omp_target_disassociate_ptr(const void *ptr, int device_num)`: not 0.
    pub fn omp_target_disassociate_ptr(address: Address, device_num: c_int) -> c_int {
        let site = CallSite::here();
        forward!(c"omp_target_disassociate_ptr"(
            address: Address,
            device_num: c_int,
        ) -> c_int);
        is_host_or_allowed(device_num, "omp_target_disassociate_ptr", site);
        FAILED
    }

    /// `void *omp_get_mapped_ptr(const void *ptr, int device_num)`: null unless the device is the
    /// host.
    pub fn omp_get_mapped_ptr(address: Address, device_num: c_int) -> Address {
        forward!(c"omp_get_mapped_ptr"(address: Address, device_num: c_int) -> Address);
        if is_host(device_num) { address } else { Address::NULL }
    }
}
