//! The set of the blocks that allocators have given out: whether an address is one of them, without
//! reading the memory there.
//!
//! A trie of the address: 11 bits, 11 bits, and a leaf of one byte for each 32 bytes of memory. The
//! byte says whether a block begins in one of the two halves, and in which: no two blocks begin
//! less than 32 bytes apart, since each has a header of 16 bytes and takes 32 at least. A
//! leaf covers 64 MiB, as much as a heap of the C library's for one thread, and its pages have
//! memory only where blocks were: a byte for 32. Levels are made where the first block needs them,
//! and stay.
//!
//! README.md, "Is it ours?", has the argument.

use core::mem::size_of;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use core::sync::atomic::{AtomicPtr, AtomicU8};

use oxomp_base::os::pages::{map_pages, unmap_pages, want_small_pages};

/// The bits of an address that the set covers: the kernel gives out memory beyond 47 or 48 bits
/// only if a process asks for it.
const ADDRESS_BITS: u32 = 48;
const LEAF_BITS: u32 = 26;
const MIDDLE_BITS: u32 = 11;
const ROOT_BITS: u32 = ADDRESS_BITS - LEAF_BITS - MIDDLE_BITS;
/// Of the 32 bytes that share a byte of a leaf.
const GRAIN_BITS: u32 = 5;

type Leaf = [AtomicU8; 1 << (LEAF_BITS - GRAIN_BITS)];
type Middle = [AtomicPtr<Leaf>; 1 << MIDDLE_BITS];

static ROOT: [AtomicPtr<Middle>; 1 << ROOT_BITS] =
    [const { AtomicPtr::new(ptr::null_mut()) }; 1 << ROOT_BITS];

/// No block begins there.
const NONE: u8 = 0;
/// A block begins in the lower half.
const LOWER: u8 = 1;
/// A block begins in the upper half.
const UPPER: u8 = 2;
/// Set besides: `GOMP_add_alloc` has marked the block.
const MARKED: u8 = 4;

/// The value for a block at this address, a multiple of 16.
#[inline(always)]
fn half(address: usize) -> u8 {
    if address & (1 << (GRAIN_BITS - 1)) == 0 { LOWER } else { UPPER }
}

/// The byte of an address; `None` if no thread has made that part of the set, so that no block is
/// there.
#[inline(always)]
fn find(address: usize) -> Option<&'static AtomicU8> {
    let root = ROOT.get(address >> (LEAF_BITS + MIDDLE_BITS))?;
    let middle = known(root)?;
    let leaf = known(&middle[address >> LEAF_BITS & ((1 << MIDDLE_BITS) - 1)])?;
    Some(&leaf[address >> GRAIN_BITS & ((1 << (LEAF_BITS - GRAIN_BITS)) - 1)])
}

#[inline(always)]
fn known<T>(level: &AtomicPtr<T>) -> Option<&'static T> {
    // SAFETY: null, or a level that is published whole and never unmapped. Acquire: pairs with the
    // Release of `make`.
    unsafe { level.load(Acquire).as_ref() }
}

/// As `find`, but makes the levels that are missing. `None` if there is no memory for them, or if
/// the address is above those that the set covers.
#[cold]
fn make_levels(address: usize) -> Option<&'static AtomicU8> {
    let root = ROOT.get(address >> (LEAF_BITS + MIDDLE_BITS))?;
    let middle = make(root)?;
    make(&middle[address >> LEAF_BITS & ((1 << MIDDLE_BITS) - 1)])?;
    find(address)
}

fn make<T>(level: &'static AtomicPtr<T>) -> Option<&'static T> {
    if let Some(known) = known(level) {
        return Some(known);
    }
    let pages = map_pages(size_of::<T>())?;
    want_small_pages(pages, size_of::<T>());
    // Zeroed pages are an empty level.
    let new = pages.cast::<T>().as_ptr();
    if level.compare_exchange(ptr::null_mut(), new, AcqRel, Acquire).is_err() {
        // SAFETY: another thread has made the level, so nothing has seen these pages.
        unsafe { unmap_pages(pages, size_of::<T>()) };
    }
    known(level)
}

/// Enters the address of a block that is about to be given out. Returns false if there is no memory
/// for the entry.
#[inline(always)]
pub(super) fn enter(block: NonNull<u8>) -> bool {
    let address = block.addr().get();
    let Some(byte) = find(address).or_else(|| make_levels(address)) else { return false };
    // Relaxed: no thread but the caller knows the address yet.
    byte.store(half(address), Relaxed);
    true
}

/// Removes the address from the set, if a block begins there. Of several threads that try, one
/// succeeds.
#[inline(always)]
pub(super) fn remove(address: usize) -> bool {
    exchange(address, |_| NONE)
}

/// Marks the block that begins at `address`, if there is one without a mark.
pub(super) fn mark(address: usize) -> bool {
    let mut is_new = false;
    exchange(address, |old| {
        is_new = old & MARKED == 0;
        old | MARKED
    }) && is_new
}

/// Takes the mark off the block that begins at `address`. Returns whether it had one.
pub(super) fn unmark(address: usize) -> bool {
    let mut was_marked = false;
    exchange(address, |old| {
        was_marked = old & MARKED != 0;
        old & !MARKED
    }) && was_marked
}

/// Changes the byte of the block that begins at `address`. Returns false if no block begins there.
#[inline(always)]
fn exchange(address: usize, mut change: impl FnMut(u8) -> u8) -> bool {
    if !address.is_multiple_of(16) {
        return false;
    }
    let Some(byte) = find(address) else { return false };
    let mut old = byte.load(Relaxed);
    loop {
        if old & !MARKED != half(address) {
            return false;
        }
        // AcqRel: whichever thread takes the block out has it alone.
        match byte.compare_exchange(old, change(old), AcqRel, Relaxed) {
            Ok(_) => return true,
            Err(now) => old = now,
        }
    }
}

#[cfg(test)]
mod tests {
    use core::ptr::NonNull;

    use super::{enter, exchange, mark, remove, unmark};

    fn contains(address: usize) -> bool {
        exchange(address, |old| old)
    }

    #[test]
    fn a_block_is_in_the_set_from_its_entry_to_its_removal() {
        let memory = [0_u128; 8];
        let block = NonNull::from(&memory[2]).cast::<u8>();
        let address = block.addr().get();
        assert!(!contains(address) && !remove(address));
        assert!(enter(block));
        for other in [address - 16, address + 1, address + 8, address + 16, address + 32] {
            assert!(!contains(other) && !remove(other) && !mark(other), "{other:#x}");
        }
        assert!(contains(address));
        assert!(remove(address));
        assert!(!remove(address));
    }

    #[test]
    fn marks_are_taken_off_once() {
        let memory = [0_u128; 8];
        let block = NonNull::from(&memory[4]).cast::<u8>();
        let address = block.addr().get();
        assert!(!mark(address));
        assert!(enter(block));
        assert!(!unmark(address) && mark(address) && !mark(address));
        assert!(unmark(address) && !unmark(address));
        assert!(mark(address) && remove(address) && !unmark(address));
    }

    #[test]
    fn addresses_that_no_memory_has_are_no_blocks() {
        for address in [0, 16, 4096, 1 << 47, 1 << 48, usize::MAX - 15, usize::MAX] {
            assert!(!contains(address) && !remove(address) && !mark(address), "{address:#x}");
        }
        let beyond = NonNull::without_provenance(core::num::NonZero::new(1 << 48).expect("not 0"));
        assert!(!enter(beyond));
    }
}
