//! Memory of the C library's that the caller has got from the runtime.

use core::ffi::c_void;
use core::ptr;

/// A block that the runtime gave to the program, which gives it back; null for none (rule A14).
#[repr(transparent)]
#[derive(Debug)]
pub struct Allocation(*mut c_void);

impl Allocation {
    /// A block of `bytes` bytes; null if there is no such memory.
    pub fn new(bytes: usize) -> Self {
        // SAFETY: any size may be asked for.
        Allocation(unsafe { libc::malloc(bytes) })
    }

    /// A block of `count` zeroed elements of `bytes` bytes each; null if there is no such memory.
    pub fn zeroed(count: usize, bytes: usize) -> Self {
        // SAFETY: any size may be asked for.
        Allocation(unsafe { libc::calloc(count, bytes) })
    }

    /// A block at a multiple of `alignment`; null if that is not a power of two, or if there is no
    /// such memory.
    pub fn aligned(bytes: usize, alignment: usize) -> Self {
        let mut memory = ptr::null_mut();
        let alignment = alignment.max(1);
        if !alignment.is_power_of_two() {
            return Allocation(memory);
        }
        let alignment = alignment.max(size_of::<usize>());
        // SAFETY: a power of two that is not less than a pointer; nothing is stored on failure.
        unsafe { libc::posix_memalign(&mut memory, alignment, bytes) };
        Allocation(memory)
    }

    /// The block with another size, perhaps elsewhere; null if there is no such memory.
    pub fn resize(self, bytes: usize) -> Self {
        // SAFETY: A14: null or a block of the C library's, which the program gives up.
        Allocation(unsafe { libc::realloc(self.0, bytes) })
    }

    /// Gives the block back.
    pub fn free(self) {
        // SAFETY: A14: null or a block of the C library's, which the program gives up.
        unsafe { libc::free(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::Allocation;
    use core::ptr;

    #[test]
    fn alignments_are_powers_of_two() {
        let block = Allocation::aligned(100, 256);
        assert_eq!(block.0.addr() % 256, 0);
        block.free();
        assert!(Allocation::aligned(100, 24).0.is_null());
        let unaligned = Allocation::aligned(100, 0);
        assert!(!unaligned.0.is_null());
        unaligned.free();
    }

    #[test]
    fn null_is_a_block_of_no_bytes() {
        Allocation(ptr::null_mut()).free();
        let block = Allocation(ptr::null_mut()).resize(64);
        assert!(!block.0.is_null());
        block.free();
    }
}
