//! The 16 bytes before each block that allocators give out: all that is needed to free it.

use core::ptr::NonNull;

use super::state::traits::LEAST_ALIGNMENT;
use crate::icv::AllocatorHandle;

/// The bytes of a header, and the least distance from the begin of the memory to the block.
pub(super) const HEADER: usize = LEAST_ALIGNMENT;

const _: () = assert!(HEADER == size_of::<[u64; 2]>());

/// The largest block, in bytes: sizes have 48 bits in the header.
pub(super) const LARGEST: usize = (1 << SIZE_BITS) - 1;

const SIZE_BITS: u32 = 48;
const ALIGNMENT_BITS: u32 = 6;

/// Where the memory of a block is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backing {
    /// The C library's heap.
    Heap,
    /// Pages of its own.
    Pages,
}

/// What the runtime knows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The bytes that the program asked for.
    pub(super) size: usize,
    /// The alignment, a power of two, and the distance from the begin of the memory to the block.
    pub(super) alignment: usize,
    pub(super) backing: Backing,
    /// The allocator that the program named.
    pub(super) requested: AllocatorHandle,
    /// The allocator in whose pool the block counts: that one, or its fallback.
    pub(super) charged: AllocatorHandle,
}

impl Header {
    /// The bytes of the memory from its begin to the end of the block: what counts in a pool.
    #[inline(always)]
    pub(super) fn footprint(&self) -> usize {
        self.alignment + self.size
    }

    /// The begin of the block's memory.
    ///
    /// # Safety
    /// The block has this header.
    #[inline(always)]
    pub(super) unsafe fn memory(&self, block: NonNull<u8>) -> NonNull<u8> {
        // SAFETY: the memory begins that much before the block.
        unsafe { block.sub(self.alignment) }
    }

    /// Writes the header of a block.
    ///
    /// # Safety
    /// The 16 bytes before `block`, which is aligned to 16, are the caller's.
    #[inline(always)]
    pub(super) unsafe fn write(&self, block: NonNull<u8>) {
        debug_assert!(self.alignment.is_power_of_two() && self.alignment >= HEADER);
        let (size, shift) = (self.size as u64, u64::from(self.alignment.trailing_zeros()));
        let form =
            size | shift << SIZE_BITS | (self.backing as u64) << (SIZE_BITS + ALIGNMENT_BITS);
        let allocators =
            u64::from(self.requested.to_bits()) | u64::from(self.charged.to_bits()) << 32;
        // SAFETY: as this function demands.
        unsafe { block.cast::<[u64; 2]>().sub(1).write([form, allocators]) };
    }

    /// Reads the header of a block.
    ///
    /// # Safety
    /// `write` has written it, and the block is the caller's.
    #[inline(always)]
    pub(super) unsafe fn read(block: NonNull<u8>) -> Self {
        // SAFETY: as this function demands.
        let [form, allocators] = unsafe { block.cast::<[u64; 2]>().sub(1).read() };
        let shift = form >> SIZE_BITS & ((1 << ALIGNMENT_BITS) - 1);
        Header {
            size: form as usize & LARGEST,
            alignment: 1 << shift,
            backing: match form >> (SIZE_BITS + ALIGNMENT_BITS) & 1 {
                0 => Backing::Heap,
                _ => Backing::Pages,
            },
            requested: AllocatorHandle::from_bits(allocators as u32),
            charged: AllocatorHandle::from_bits((allocators >> 32) as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use core::ptr::NonNull;

    use super::{AllocatorHandle, Backing, HEADER, Header, LARGEST};

    #[test]
    fn a_header_reads_as_it_was_written() {
        let mut memory = [0_u128; 2];
        let block = NonNull::from(&mut memory).cast::<u8>();
        // SAFETY: the second half of the array is the block, the first has room for a header.
        unsafe {
            let block = block.add(HEADER);
            for (size, alignment, backing) in
                [(1, 16, Backing::Heap), (LARGEST, 1 << 46, Backing::Pages)]
            {
                let header = Header {
                    size,
                    alignment,
                    backing,
                    requested: AllocatorHandle::created(7, 4095),
                    charged: AllocatorHandle::created(AllocatorHandle::MOST_CREATED - 1, 9),
                };
                header.write(block);
                assert_eq!(Header::read(block), header);
                assert_eq!(header.footprint(), size + alignment);
            }
            assert_eq!(memory[1], 0);
        }
    }
}
