//! Memory routines (kmp): the C library's, which has an arena for each thread as LLVM's has.

use crate::argument::{Allocation, ByRef};

entry! {
    /// `void *kmp_malloc(size_t size)`
    pub fn kmp_malloc | kmpc_malloc(size: usize) -> Allocation {
        Allocation::new(size)
    }

    /// `void *kmp_aligned_malloc(size_t size, size_t alignment)`: null unless the alignment is a
    /// power of two.
    pub fn kmp_aligned_malloc | kmpc_aligned_malloc(size: usize, alignment: usize) -> Allocation {
        Allocation::aligned(size, alignment)
    }

    /// `void *kmp_calloc(size_t nelem, size_t elsize)`
    pub fn kmp_calloc | kmpc_calloc(count: usize, size: usize) -> Allocation {
        Allocation::zeroed(count, size)
    }

    /// `void *kmp_realloc(void *ptr, size_t size)`
    pub fn kmp_realloc | kmpc_realloc(memory: Allocation, size: usize) -> Allocation {
        memory.resize(size)
    }

    /// `void kmp_free(void *ptr)`
    pub fn kmp_free | kmpc_free(memory: Allocation) {
        memory.free();
    }

    /// `kmp_malloc` called from Fortran.
    pub fn kmp_malloc_(size: ByRef<usize>) -> Allocation {
        Allocation::new(size.get())
    }

    /// `kmp_aligned_malloc` called from Fortran.
    pub fn kmp_aligned_malloc_(size: ByRef<usize>, alignment: ByRef<usize>) -> Allocation {
        Allocation::aligned(size.get(), alignment.get())
    }

    /// `kmp_calloc` called from Fortran.
    pub fn kmp_calloc_(count: ByRef<usize>, size: ByRef<usize>) -> Allocation {
        Allocation::zeroed(count.get(), size.get())
    }

    /// `kmp_realloc` called from Fortran.
    pub fn kmp_realloc_(memory: ByRef<Allocation>, size: ByRef<usize>) -> Allocation {
        memory.take().resize(size.get())
    }

    /// `kmp_free` called from Fortran.
    pub fn kmp_free_(memory: ByRef<Allocation>) {
        memory.take().free();
    }
}
