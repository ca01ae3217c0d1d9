//! Memory routines (kmp): the C library's, which has an arena for each thread as LLVM's has.

use core::ffi::c_void;
use core::ptr;

entry! {
    /// `void *kmp_malloc(size_t size)`
    pub fn kmp_malloc | kmpc_malloc(size: usize) -> *mut c_void {
        // SAFETY: any size may be asked for.
        unsafe { libc::malloc(size) }
    }

    /// `void *kmp_aligned_malloc(size_t size, size_t alignment)`: null unless the alignment is a
    /// power of two.
    pub fn kmp_aligned_malloc | kmpc_aligned_malloc(size: usize, alignment: usize) -> *mut c_void {
        let mut memory = ptr::null_mut();
        let alignment = if alignment == 0 { 1 } else { alignment };
        if !alignment.is_power_of_two() {
            return ptr::null_mut();
        }
        // SAFETY: a power of two that is not less than a pointer; nothing is stored on failure.
        unsafe { libc::posix_memalign(&mut memory, alignment.max(size_of::<usize>()), size) };
        memory
    }

    /// `void *kmp_calloc(size_t nelem, size_t elsize)`
    pub fn kmp_calloc | kmpc_calloc(count: usize, size: usize) -> *mut c_void {
        // SAFETY: any size may be asked for.
        unsafe { libc::calloc(count, size) }
    }

    /// `void *kmp_realloc(void *ptr, size_t size)`
    ///
    /// # Safety
    /// `memory` is null or from one of these routines.
    pub unsafe fn kmp_realloc | kmpc_realloc(memory: *mut c_void, size: usize) -> *mut c_void {
        // SAFETY: by contract.
        unsafe { libc::realloc(memory, size) }
    }

    /// `void kmp_free(void *ptr)`
    ///
    /// # Safety
    /// `memory` is null or from one of these routines.
    pub unsafe fn kmp_free | kmpc_free(memory: *mut c_void) {
        // SAFETY: by contract.
        unsafe { libc::free(memory) };
    }

    /// `kmp_malloc` called from Fortran.
    ///
    /// # Safety
    /// `size` points to an integer.
    pub unsafe fn kmp_malloc_(size: *const usize) -> *mut c_void {
        // SAFETY: by contract.
        kmp_malloc(unsafe { *size })
    }

    /// `kmp_aligned_malloc` called from Fortran.
    ///
    /// # Safety
    /// Both point to integers.
    pub unsafe fn kmp_aligned_malloc_(size: *const usize, alignment: *const usize) -> *mut c_void {
        // SAFETY: by contract.
        unsafe { kmp_aligned_malloc(*size, *alignment) }
    }

    /// `kmp_calloc` called from Fortran.
    ///
    /// # Safety
    /// Both point to integers.
    pub unsafe fn kmp_calloc_(count: *const usize, size: *const usize) -> *mut c_void {
        // SAFETY: by contract.
        unsafe { kmp_calloc(*count, *size) }
    }

    /// `kmp_realloc` called from Fortran.
    ///
    /// # Safety
    /// `memory` points to null or to memory of these routines, `size` to an integer.
    pub unsafe fn kmp_realloc_(memory: *const *mut c_void, size: *const usize) -> *mut c_void {
        // SAFETY: by contract.
        unsafe { kmp_realloc(*memory, *size) }
    }

    /// `kmp_free` called from Fortran.
    ///
    /// # Safety
    /// `memory` points to null or to memory of these routines.
    pub unsafe fn kmp_free_(memory: *const *mut c_void) {
        // SAFETY: by contract.
        unsafe { kmp_free(*memory) };
    }
}
