//! *def-allocator-var*: an internal control variable of the implicit task (OpenMP 5.2 table 2.3).
//!
//! Explicit tasks have no such variable of their own: they use that of the implicit task whose
//! thread executes them. So the value counts in the implicit task's data environment only; at a
//! parallel region the new implicit tasks inherit it from the implicit task of the encountering
//! thread, whatever task encounters the region.

use oxomp_base::allocators::table;
use oxomp_base::icv::AllocatorHandle;

use super::mistake;
use crate::block::Thread;

/// `omp_get_default_allocator`
#[must_use]
pub fn default_allocator() -> AllocatorHandle {
    Thread::current().implicit_task().icvs().def_allocator_var
}

/// `omp_set_default_allocator`: null stands for the default memory allocator. A handle that no
/// allocator has is reported, and nothing changes.
#[inline(always)]
pub fn set_default_allocator(handle: usize) {
    let allocator = match AllocatorHandle::from_abi(handle) {
        Some(AllocatorHandle::NULL) => AllocatorHandle::DEFAULT_MEM,
        Some(known) if table::has(known) => known,
        _ => {
            mistake::no_allocator(handle, "call ignored");
            return mistake::in_this_frame();
        }
    };
    let task = Thread::current().implicit_task();
    task.change_icvs(|icvs| icvs.def_allocator_var = allocator);
}

/// The allocator that an allocation routine means by this handle: null stands for the default
/// allocator. A handle that no allocator can have is reported, and means the default memory
/// allocator.
#[must_use]
#[inline(always)]
pub fn meant(handle: usize) -> AllocatorHandle {
    match AllocatorHandle::from_abi(handle) {
        Some(AllocatorHandle::NULL) => default_allocator(),
        Some(allocator) => allocator,
        None => {
            mistake::no_allocator(handle, "the default memory space is used");
            AllocatorHandle::DEFAULT_MEM
        }
    }
}
