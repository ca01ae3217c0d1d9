//! The 16 bytes before each block that allocators give out: all that is needed to free it.

use core::ptr::NonNull;

use oxomp_base::allocators::traits::LEAST_ALIGNMENT;
use oxomp_base::icv::AllocatorHandle;

/// The bytes of a header, and the least distance from the start of the memory to the block.
pub(super) const HEADER: usize = LEAST_ALIGNMENT;

const _: () = assert!(HEADER == size_of::<[u64; 2]>());

/// The largest block, in bytes: sizes have 48 bits in the header.
pub(super) const LARGEST: usize = (1 << SIZE_BITS) - 1;

const SIZE_BITS: u32 = 48;
const ALIGNMENT_BITS: u32 = 6;
const BACKING_BITS: u32 = 1;
/// The first bit of the distance, which is in units of the header and takes the remaining bits; 0
/// stands for the alignment.
const DISTANCE_AT: u32 = SIZE_BITS + ALIGNMENT_BITS + BACKING_BITS;

/// The largest distance that is not the alignment.
pub(super) const LARGEST_DISTANCE: usize = HEADER * ((1 << (64 - DISTANCE_AT)) - 1);

/// Where the memory of a block comes from.
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
    /// The alignment, a power of two: the room before the block that counts in a pool.
    pub(super) alignment: usize,
    /// The distance from the start of the memory to the block: the alignment, or a smaller multiple
    /// of the size of a header that is at most `LARGEST_DISTANCE`.
    pub(super) distance: usize,
    pub(super) backing: Backing,
    /// The allocator that the program named.
    pub(super) requested: AllocatorHandle,
    /// The allocator in whose pool the block counts: that one, or its fallback.
    pub(super) charged: AllocatorHandle,
}

impl Header {
    /// The bytes that the block's memory has at least: what counts in a pool.
    #[inline(always)]
    pub(super) fn footprint(&self) -> usize {
        self.alignment + self.size
    }

    /// The start of the block's memory.
    ///
    /// # Safety
    /// The block has this header.
    #[inline(always)]
    pub(super) unsafe fn memory(&self, block: NonNull<u8>) -> NonNull<u8> {
        // SAFETY: the memory begins that much before the block.
        unsafe { block.sub(self.distance) }
    }

    /// Writes the header of a block.
    ///
    /// # Safety
    /// The 16 bytes before `block`, which is aligned to 16, are the caller's.
    #[inline(always)]
    pub(super) unsafe fn write(&self, block: NonNull<u8>) {
        debug_assert!(self.alignment.is_power_of_two() && self.alignment >= HEADER);
        let (size, shift) = (self.size as u64, u64::from(self.alignment.trailing_zeros()));
        let is_short = self.distance <= LARGEST_DISTANCE;
        let distance = if is_short { (self.distance / HEADER) as u64 } else { 0 };
        let form = size
            | shift << SIZE_BITS
            | (self.backing as u64) << (SIZE_BITS + ALIGNMENT_BITS)
            | distance << DISTANCE_AT;
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
        let alignment = 1 << (form >> SIZE_BITS & ((1 << ALIGNMENT_BITS) - 1));
        let distance = match (form >> DISTANCE_AT) as usize * HEADER {
            0 => alignment,
            short => short,
        };
        Header {
            size: form as usize & LARGEST,
            alignment,
            distance,
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
            for (size, alignment, distance, backing) in [
                (1, 16, 16, Backing::Heap),
                (7, 4096, 48, Backing::Heap),
                (7, 4096, 4096, Backing::Heap),
                (LARGEST, 1 << 46, 1 << 46, Backing::Pages),
            ] {
                let header = Header {
                    size,
                    alignment,
                    distance,
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
