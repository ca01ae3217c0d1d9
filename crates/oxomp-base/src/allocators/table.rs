//! The table of the program's allocators: handle to traits, without a lock.
//!
//! A handle has the index of a slot and the slot's generation, which a slot changes each time that
//! an allocator in it is destroyed. So the look-up of a stale or foreign handle finds nothing. A
//! slot is used again when no block counts in its pool any more (`Quota`); until then a block that
//! outlives its allocator finds the pool in which it counts. Slots are in segments, which are made
//! when they are needed and never freed.

use core::alloc::Layout;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use oxomp_protocol::quota::Quota;

use super::space::Part;
use super::traits::Traits;
use crate::icv::AllocatorHandle;
use crate::memory;

/// An allocator of the program. All fields are atomic, since a thread that uses a handle while
/// another destroys it, which is the program's mistake, reads them while they change.
#[derive(Debug)]
#[repr(align(64))]
pub struct Slot {
    /// Twice the generation, and 1 more while there is an allocator.
    state: AtomicU32,
    /// The next free slot: its index and 1.
    next: AtomicU32,
    traits: [AtomicU64; 3],
    /// 1 if every block is of the heap, with the least alignment.
    is_simple: AtomicU32,
    pool_size: AtomicU64,
    taken: Quota,
    /// The resources; null for all of the host's.
    part: AtomicPtr<Part>,
}

/// The slots of the first segment. Each further segment has twice as many as the one before.
const FIRST: u32 = 64;
/// As many segments as indices need.
const SEGMENTS: usize = 14;

const _: () = assert!(FIRST * ((1 << SEGMENTS) - 1) >= AllocatorHandle::MOST_CREATED);

static TABLE: [AtomicPtr<Slot>; SEGMENTS] = [const { AtomicPtr::new(ptr::null_mut()) }; SEGMENTS];

/// How many slots have been used.
static USED: AtomicU32 = AtomicU32::new(0);

/// The stack of free slots: in the low half the first one's index and 1, in the high half a count
/// of the changes, so that a thread notices that the stack has changed since it read it.
static FREE: AtomicU64 = AtomicU64::new(0);

/// The segment of a slot, and its number there.
#[inline(always)]
fn segment_of(index: u32) -> (usize, usize) {
    let segment = (index / FIRST + 1).ilog2();
    (segment as usize, (index - FIRST * ((1 << segment) - 1)) as usize)
}

/// The slot; `None` if no thread has made it.
#[inline(always)]
fn slot(index: u32) -> Option<&'static Slot> {
    let (segment, number) = segment_of(index);
    let first = NonNull::new(TABLE.get(segment)?.load(Acquire))?;
    // SAFETY: segments are published whole and never freed; the number is below the segment's size.
    // Acquire: pairs with the Release of `make_segment`.
    Some(unsafe { first.add(number).as_ref() })
}

/// Makes the segment of a slot, if it does not exist. `None` if there are too many slots, or no
/// memory.
fn make_segment(index: u32) -> Option<&'static Slot> {
    let (segment, _) = segment_of(index);
    let level = TABLE.get(segment)?;
    if level.load(Acquire).is_null() {
        let layout = Layout::array::<Slot>((FIRST as usize) << segment).ok()?;
        // Zeroed slots have no allocator, and nothing is counted in them.
        let new = memory::zeroed(layout)?;
        let made = level.compare_exchange(ptr::null_mut(), new.cast().as_ptr(), AcqRel, Acquire);
        if made.is_err() {
            // SAFETY: another thread has made the segment, so nothing has seen this memory.
            unsafe { memory::free(new, layout) };
        }
    }
    slot(index)
}

/// Takes a slot that no allocator has.
fn take() -> Option<u32> {
    let mut free = FREE.load(Acquire);
    while let Some(index) = (free as u32).checked_sub(1) {
        let next = slot(index)?.next.load(Relaxed);
        let after = ((free >> 32) + 1) << 32 | u64::from(next);
        match FREE.compare_exchange_weak(free, after, AcqRel, Acquire) {
            Ok(_) => return Some(index),
            Err(now) => free = now,
        }
    }
    let fresh = USED.fetch_update(Relaxed, Relaxed, |used| {
        (used < AllocatorHandle::MOST_CREATED).then_some(used + 1)
    });
    let index = fresh.ok()?;
    make_segment(index).map(|_| index)
}

/// Puts a slot on the stack of the free ones.
fn recycle(index: u32) {
    let Some(slot) = slot(index) else { return };
    let mut free = FREE.load(Acquire);
    loop {
        slot.next.store(free as u32, Relaxed);
        let after = ((free >> 32) + 1) << 32 | u64::from(index + 1);
        match FREE.compare_exchange_weak(free, after, AcqRel, Acquire) {
            Ok(_) => return,
            Err(now) => free = now,
        }
    }
}

/// Creates an allocator. `None` if there are too many, or no memory.
pub(super) fn create(traits: &Traits, part: Option<&'static Part>) -> Option<AllocatorHandle> {
    let index = take()?;
    let slot = slot(index)?;
    for (word, value) in slot.traits.iter().zip(traits.pack()) {
        word.store(value, Relaxed);
    }
    slot.pool_size.store(traits.pool_size, Relaxed);
    let part = part.map_or(ptr::null_mut(), |part| ptr::from_ref(part).cast_mut());
    slot.part.store(part, Relaxed);
    slot.is_simple.store(u32::from(part.is_null() && traits.are_simple()), Relaxed);
    slot.taken.begin();
    let generation = slot.state.load(Relaxed) / 2;
    // Release: `find` acquires the traits.
    slot.state.store(generation * 2 + 1, Release);
    Some(AllocatorHandle::created(index, generation))
}

/// The allocator of the program with this handle, if there is one.
#[inline(always)]
pub fn find(handle: AllocatorHandle) -> Option<&'static Slot> {
    let (index, generation) = handle.index()?;
    slot(index).filter(|slot| slot.state.load(Acquire) == generation * 2 + 1)
}

/// Whether there is an allocator with this handle.
#[inline]
pub fn has(handle: AllocatorHandle) -> bool {
    handle.is_predefined() || find(handle).is_some()
}

/// Whether there is, or has been, an allocator with this handle, or with another generation of it.
pub fn has_had(handle: AllocatorHandle) -> bool {
    handle.is_predefined() || handle.index().is_some_and(|(index, _)| index < USED.load(Relaxed))
}

/// Destroys an allocator of the program. Returns false if no allocator has this handle.
pub fn destroy(handle: AllocatorHandle) -> bool {
    let Some((index, generation)) = handle.index() else { return false };
    let Some(slot) = slot(index) else { return false };
    let next = (generation + 1) % AllocatorHandle::GENERATIONS * 2;
    // If several threads destroy the allocator, which is the program's mistake, one succeeds.
    if slot.state.compare_exchange(generation * 2 + 1, next, AcqRel, Relaxed).is_err() {
        return false;
    }
    if slot.taken.end() {
        recycle(index);
    }
    true
}

/// Gives back what `Slot::take` has taken from the pool of this allocator, which may have been
/// destroyed.
#[inline]
pub fn give_back(handle: AllocatorHandle, bytes: usize) {
    let Some((index, _)) = handle.index() else { return };
    if slot(index).is_some_and(|slot| slot.taken.give_back(bytes as u64)) {
        recycle(index);
    }
}

impl Slot {
    /// The traits with which the program created it.
    #[inline]
    pub fn traits(&self) -> Traits {
        let words = core::array::from_fn(|number| self.traits[number].load(Relaxed));
        Traits::unpack(words, self.pool_size.load(Relaxed))
    }

    /// The size of the pool if every block is of the heap with the least alignment: then no other
    /// trait matters as long as there is memory.
    #[inline(always)]
    pub fn simple_pool_size(&self) -> Option<u64> {
        (self.is_simple.load(Relaxed) == 1).then(|| self.pool_size.load(Relaxed))
    }

    /// The resources; `None` stands for all of the host's.
    #[inline]
    pub fn part(&self) -> Option<&'static Part> {
        // SAFETY: null, or a part, which is never freed.
        unsafe { self.part.load(Acquire).as_ref() }
    }

    /// Takes `bytes` from the pool, of `pool_size`. Returns false if fewer are left, or the
    /// allocator has been destroyed.
    #[inline]
    pub fn take(&self, bytes: usize, pool_size: u64) -> bool {
        self.taken.take(bytes as u64, pool_size)
    }

    /// The bytes that count in the pool.
    #[cfg(test)]
    pub(super) fn taken(&self) -> u64 {
        self.taken.taken()
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST, Traits, create, destroy, find, give_back, has, has_had, segment_of};
    use crate::icv::AllocatorHandle;

    #[test]
    fn every_index_has_a_segment_and_a_number_there_of_its_own() {
        assert_eq!(segment_of(0), (0, 0));
        assert_eq!(segment_of(FIRST - 1), (0, FIRST as usize - 1));
        assert_eq!(segment_of(FIRST), (1, 0));
        assert_eq!(segment_of(3 * FIRST - 1), (1, 2 * FIRST as usize - 1));
        assert_eq!(segment_of(3 * FIRST), (2, 0));
    }

    #[test]
    fn handles_end_with_their_allocator() {
        let traits = Traits { pool_size: 100, ..Traits::DEFAULT };
        let handle = create(&traits, None).expect("a slot");
        assert_eq!(find(handle).map(super::Slot::traits), Some(traits));
        assert!(has(handle) && has_had(handle) && destroy(handle));
        assert!(!has(handle) && !destroy(handle) && find(handle).is_none());
        assert!(has_had(handle));
        let last = AllocatorHandle::created(AllocatorHandle::MOST_CREATED - 1, 0);
        assert!(!has_had(last) && !has_had(AllocatorHandle::NONE_SUCH));
        for wrong in [AllocatorHandle::NULL, AllocatorHandle::predefined(9)] {
            assert!(!has(wrong) && !destroy(wrong));
        }
        assert!(has(AllocatorHandle::THREAD_MEM) && !destroy(AllocatorHandle::THREAD_MEM));
    }

    #[test]
    fn a_pool_with_blocks_outlives_its_allocator() {
        let traits = Traits { pool_size: 100, ..Traits::DEFAULT };
        let handle = create(&traits, None).expect("a slot");
        let slot = find(handle).expect("there");
        assert!(slot.take(60, 100) && !slot.take(41, 100) && slot.take(40, 100));
        assert!(destroy(handle) && !slot.take(0, 100));
        give_back(handle, 60);
        assert_eq!(slot.taken(), 40);
        give_back(handle, 40);
        assert_eq!(slot.taken(), 0);
    }

    #[test]
    fn many_allocators_have_different_handles() {
        let mut handles: Vec<_> =
            (0..1000).map(|_| create(&Traits::DEFAULT, None).expect("a slot")).collect();
        let count = |handles: &[AllocatorHandle]| {
            handles
                .iter()
                .map(|handle| handle.to_abi())
                .collect::<std::collections::HashSet<_>>()
                .len()
        };
        assert_eq!(count(&handles), 1000);
        let old = handles.split_off(500);
        assert!(old.iter().all(|&handle| destroy(handle)));
        let new: Vec<_> =
            (0..500).map(|_| create(&Traits::DEFAULT, None).expect("a slot")).collect();
        assert_eq!(count(&[&handles[..], &old, &new].concat()), 1500);
        assert!(handles.iter().chain(&new).all(|&handle| has(handle) && destroy(handle)));
    }
}
