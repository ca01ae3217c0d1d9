//! Blocks of OpenMP's allocators.

use core::ffi::c_void;
use core::ptr::{self, NonNull};

use oxomp_base::icv::AllocatorHandle;
use oxomp_core::allocator::{self, meant};

/// A block of an allocator; null for none (rule A24).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Block(*mut c_void);

impl Block {
    /// A block of `allocator`, which is the default one if null; null if there is no memory.
    /// `count` elements of `size` bytes are zeroed.
    #[inline(always)]
    pub fn zeroed(alignment: usize, count: usize, size: usize, allocator: usize) -> Self {
        // No address space has the bytes of a product that does not fit a word.
        let bytes = count.saturating_mul(size);
        allocator::allocate(meant(allocator), alignment, bytes, true).into()
    }

    /// A block of `allocator`, which is the default one if null; null if there is no memory.
    #[inline(always)]
    pub fn new(alignment: usize, size: usize, allocator: usize) -> Self {
        allocator::allocate(meant(allocator), alignment, size, false).into()
    }

    /// Frees the block. `allocator` is the one that the user names; null for the block's own.
    #[inline(always)]
    pub fn free_by(self, allocator: usize) {
        let named = (allocator != 0).then(|| handle(allocator));
        // SAFETY: A24: the program gives the block up.
        unsafe { allocator::free(self.0.cast(), named) }
    }

    /// Frees the block by its own allocator: compilers pass no other one.
    #[inline(always)]
    pub fn free(self) {
        // SAFETY: A24: the program gives the block up.
        unsafe { allocator::free(self.0.cast(), None) }
    }

    /// The block with another size, perhaps elsewhere. `allocator` is to have it, and `owner` has
    /// the old one. A null `owner` means the block's own allocator, and a null `allocator` means
    /// `owner`.
    #[inline(always)]
    pub fn resize(self, size: usize, allocator: usize, owner: usize) -> Self {
        if self.0.is_null() {
            let first = if allocator == 0 { owner } else { allocator };
            return Block::new(1, size, first);
        }
        let target = if allocator == 0 { owner } else { allocator };
        // SAFETY: A24: the program gives the block up, if it gets another one.
        let new = unsafe { allocator::resize(self.0.cast(), size, handle(target), handle(owner)) };
        new.into()
    }

    /// The block's address; `None` if the program got no memory.
    pub fn address(self) -> Option<NonNull<u8>> {
        NonNull::new(self.0.cast())
    }
}

/// The handle with this value; `NONE_SUCH` if the value cannot be a handle.
fn handle(value: usize) -> AllocatorHandle {
    AllocatorHandle::from_abi(value).unwrap_or(AllocatorHandle::NONE_SUCH)
}

impl From<Option<NonNull<u8>>> for Block {
    #[inline(always)]
    fn from(block: Option<NonNull<u8>>) -> Self {
        Block(block.map_or(ptr::null_mut(), |block| block.as_ptr().cast()))
    }
}
