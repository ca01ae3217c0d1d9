//! Memory of variables with an allocator (GOMP).

use oxomp_core::allocator::{self, meant};

use crate::argument::Block;

entry! {
    /// `void *GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator)`: the code that gcc
    /// generates relies on the memory, so the program ends if there is no memory.
    pub fn GOMP_alloc(alignment: usize, size: usize, allocator: usize) -> Block {
        allocator::allocate_or_end(meant(allocator), alignment, size).into()
    }

    /// `void GOMP_free(void *ptr, uintptr_t allocator)`
    pub fn GOMP_free(block: Block, _allocator: usize) {
        block.free();
    }

    /// `void GOMP_add_alloc(void *ptr)`: the variable with this memory is a Fortran allocatable of
    /// an allocate directive.
    pub fn GOMP_add_alloc(block: Block) {
        allocator::mark(block.address());
    }

    /// `bool GOMP_is_alloc(void *ptr)`: whether `GOMP_add_alloc` was called with this address after
    /// the last `GOMP_is_alloc` with it.
    pub fn GOMP_is_alloc(block: Block) -> bool {
        allocator::is_marked(block.address())
    }
}
