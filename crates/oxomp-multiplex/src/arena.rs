//! Blocks of data words, one word per tool: allocated and freed by any thread without a lock, also
//! in a signal handler. The README's section "Data words" has the protocol and the invariants.

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use crate::shard::{self, Shards};

/// Blocks in the first chunk; each further chunk has twice as many as the one before.
const FIRST_CHUNK: u32 = 256;

/// Chunks that together hold every index of 32 bits.
const CHUNKS: usize = 25;

/// Blocks that are made at once, when no free block is left. Divides `FIRST_CHUNK`, so that they
/// lie in one chunk.
const BATCH: u32 = 32;

/// Words of a block's header.
const HEADER: usize = size_of::<Header>() / size_of::<u64>();

/// The name of a block while it is allocated: its index, and in the upper half its generation,
/// which is odd while the block is allocated. No other allocation of the block has this name, until
/// 2^31 allocations later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id(u64);

impl Id {
    const fn new(generation: u32, index: u32) -> Self {
        Self((generation as u64) << 32 | index as u64)
    }

    /// A value that may be a name, as the runtime's word has it.
    pub(crate) const fn from_value(value: u64) -> Self {
        Self(value)
    }

    /// The name as the value of the runtime's word; never 0.
    pub(crate) const fn value(self) -> u64 {
        self.0
    }

    const fn index(self) -> u32 {
        self.0 as u32
    }

    const fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// The front of a block; the tools' words follow.
#[repr(C)]
#[derive(Debug)]
struct Header {
    /// Odd while the block is allocated.
    generation: AtomicU32,
    /// While the block is free: the index of the next free block plus 1, or 0. While it is
    /// allocated: whether its object is over.
    next: AtomicU32,
    /// A value of the block's user, 0 at first.
    link: AtomicU64,
}

/// An allocated block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    header: &'a Header,
    id: Id,
}

impl Block<'_> {
    /// The name of the block.
    pub(crate) fn id(self) -> Id {
        self.id
    }

    /// The first tool's word; the words of the other tools follow.
    pub(crate) fn words(self) -> NonNull<AtomicU64> {
        // SAFETY: the words follow the header in the same chunk (Invariant 1).
        unsafe { NonNull::from(self.header).cast::<AtomicU64>().add(HEADER) }
    }

    /// A value of the block's user.
    pub(crate) fn link(self) -> u64 {
        self.header.link.load(Relaxed)
    }

    /// Sets the value of the block's user.
    pub(crate) fn set_link(self, value: u64) {
        self.header.link.store(value, Relaxed);
    }

    /// Whether the object of the block is over.
    pub(crate) fn is_over(self) -> bool {
        self.header.next.load(Relaxed) != 0
    }

    /// Notes that the object of the block is over.
    pub(crate) fn set_over(self) {
        self.header.next.store(1, Relaxed);
    }
}

/// All blocks. Their memory is never given back (Invariant 1).
#[derive(Debug)]
pub(crate) struct Arena {
    /// Tools' words per block.
    width: AtomicUsize,
    /// Chunk k has the `FIRST_CHUNK << k` blocks after those of the chunks before it.
    chunks: [AtomicPtr<AtomicU64>; CHUNKS],
    /// Blocks made so far, in batches.
    made: AtomicU32,
    /// Memory was refused.
    is_exhausted: AtomicBool,
    /// The free blocks: stacks linked by `Header::next`, one per processor. A head has the index of
    /// the top block plus 1, and in the upper half the number of changes.
    free: Shards,
}

impl Arena {
    /// An arena without a block.
    pub(crate) const fn new() -> Self {
        Self {
            width: AtomicUsize::new(0),
            chunks: [const { AtomicPtr::new(null_mut()) }; CHUNKS],
            made: AtomicU32::new(0),
            is_exhausted: AtomicBool::new(false),
            free: shard::zeros(),
        }
    }

    /// Sets the number of words per block, if it has not been set. Returns the number that holds.
    pub(crate) fn set_width(&self, width: usize) -> usize {
        match self.width.compare_exchange(0, width, AcqRel, Acquire) {
            Ok(_) => width,
            Err(present) => present,
        }
    }

    /// Whether memory was refused, so that an object had no block.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.is_exhausted.load(Relaxed)
    }

    /// Blocks made so far.
    #[cfg(test)]
    pub(crate) fn made(&self) -> u32 {
        self.made.load(Relaxed)
    }

    /// Allocates a block whose words are 0; `None` without memory.
    #[inline]
    pub(crate) fn allocate(&self) -> Option<Block<'_>> {
        let here = shard::here();
        let index = self.pop(here).or_else(|| self.pop_elsewhere(here)).or_else(|| self.grow(here));
        let index = index?;
        // A popped or just made block lies in a mapped chunk (Invariant 2).
        let header = self.header(index)?;
        header.next.store(0, Relaxed);
        header.link.store(0, Relaxed);
        // The block is this thread's alone (Invariant 3), so it needs no atomic addition.
        let generation = header.generation.load(Relaxed) | 1;
        let block = Block { header, id: Id::new(generation, index) };
        let words = block.words();
        for at in 0..self.width.load(Relaxed) {
            // SAFETY: the block has `width` words (Invariant 1).
            unsafe { words.add(at).as_ref() }.store(0, Relaxed);
        }
        header.generation.store(generation, Release);
        Some(block)
    }

    /// The block with this name, if `id` is the name of a block that has not been freed.
    #[inline]
    pub(crate) fn get(&self, id: Id) -> Option<Block<'_>> {
        if id.generation() & 1 == 0 {
            return None;
        }
        let header = self.header(id.index())?;
        let is_live = header.generation.load(Acquire) == id.generation();
        is_live.then_some(Block { header, id })
    }

    /// Frees the block with this name. Does nothing if it has been freed already.
    #[inline]
    pub(crate) fn free(&self, id: Id) {
        if id.generation() & 1 == 0 {
            return;
        }
        let Some(header) = self.header(id.index()) else { return };
        let (live, free) = (id.generation(), id.generation().wrapping_add(1));
        // One thread alone frees this allocation (Invariant 3).
        if header.generation.compare_exchange(live, free, AcqRel, Relaxed).is_ok() {
            self.push(shard::here(), id.index(), header);
        }
    }

    /// The header of a block; `None` if its chunk is not mapped.
    #[inline]
    fn header(&self, index: u32) -> Option<&Header> {
        let row = u64::from(index / FIRST_CHUNK) + 1;
        let chunk = row.ilog2();
        let before = u64::from(FIRST_CHUNK) * ((1 << chunk) - 1);
        let at = (u64::from(index) - before) as usize * self.stride();
        let chunk = NonNull::new(self.chunks[chunk as usize].load(Acquire))?;
        // SAFETY: the chunk has room for all its blocks, stays mapped, and its zeros are valid
        // headers (Invariant 1).
        Some(unsafe { chunk.add(at).cast::<Header>().as_ref() })
    }

    /// Words from block to block.
    fn stride(&self) -> usize {
        HEADER + self.width.load(Relaxed)
    }

    fn pop_elsewhere(&self, here: usize) -> Option<u32> {
        let parts = shard::in_use();
        (1..parts).find_map(|distance| self.pop((here + distance) % parts))
    }

    #[inline]
    fn pop(&self, part: usize) -> Option<u32> {
        let head = &self.free[part].0;
        let mut seen = head.load(Acquire);
        loop {
            let index = (seen as u32).checked_sub(1)?;
            // Another thread may have popped and reused the block: then `next` may have any value,
            // but the exchange fails, since each change of the head has another number (Invariant
            // 4).
            let next = self.header(index)?.next.load(Relaxed);
            match head.compare_exchange_weak(seen, changed(seen, next), Acquire, Acquire) {
                Ok(_) => return Some(index),
                Err(present) => seen = present,
            }
        }
    }

    #[inline]
    fn push(&self, part: usize, first: u32, last: &Header) {
        let head = &self.free[part].0;
        let mut seen = head.load(Relaxed);
        loop {
            last.next.store(seen as u32, Relaxed);
            // Release: the thread that pops a block sees what was stored in it.
            match head.compare_exchange_weak(seen, changed(seen, first + 1), Release, Relaxed) {
                Ok(_) => return,
                Err(present) => seen = present,
            }
        }
    }

    /// Makes a batch of blocks; returns one and frees the others.
    #[cold]
    fn grow(&self, part: usize) -> Option<u32> {
        let grown = |made: u32| made.checked_add(BATCH).filter(|_| !self.is_exhausted());
        let first = self.made.fetch_update(Relaxed, Relaxed, grown).ok()?;
        if !self.has_chunk_of(first) {
            self.is_exhausted.store(true, Relaxed);
            return None;
        }
        for index in first + 1..first + BATCH - 1 {
            self.header(index)?.next.store(index + 2, Relaxed);
        }
        self.push(part, first + 1, self.header(first + BATCH - 1)?);
        Some(first)
    }

    /// Maps the chunk of a block, unless it is mapped. False without memory.
    fn has_chunk_of(&self, index: u32) -> bool {
        let chunk = (index / FIRST_CHUNK + 1).ilog2() as usize;
        if !self.chunks[chunk].load(Acquire).is_null() {
            return true;
        }
        let bytes = (FIRST_CHUNK as usize) << chunk;
        let bytes = bytes * self.stride() * size_of::<u64>();
        // SAFETY: a new private mapping touches no memory of others.
        let memory = unsafe {
            let (protection, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            libc::mmap(null_mut(), bytes, protection, kind | libc::MAP_NORESERVE, -1, 0)
        };
        if memory == libc::MAP_FAILED {
            return false;
        }
        if self.chunks[chunk].compare_exchange(null_mut(), memory.cast(), AcqRel, Acquire).is_err()
        {
            // SAFETY: another thread has mapped the chunk, and no thread has seen this mapping.
            unsafe { libc::munmap(memory, bytes) };
        }
        true
    }
}

/// A head with another top, and a new number.
fn changed(head: u64, top: u32) -> u64 {
    ((head >> 32) + 1) << 32 | u64::from(top)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    use std::thread;

    use super::{Arena, Block, Id};

    fn word(block: Block<'_>, tool: usize) -> &AtomicU64 {
        // SAFETY: the tests use words below the width.
        unsafe { block.words().add(tool).as_ref() }
    }

    fn arena(width: usize) -> Arena {
        let arena = Arena::new();
        assert_eq!(arena.set_width(width), width);
        arena
    }

    #[test]
    fn the_first_width_holds() {
        let arena = arena(3);
        assert_eq!(arena.set_width(5), 3);
    }

    #[test]
    fn blocks_are_distinct_and_their_words_start_as_0() {
        let arena = arena(3);
        let blocks: Vec<_> = (0..5000).map(|_| arena.allocate().unwrap()).collect();
        let mut words = HashSet::new();
        for block in &blocks {
            for tool in 0..3 {
                assert_eq!(word(*block, tool).load(SeqCst), 0);
                word(*block, tool).store(u64::MAX, SeqCst);
                assert!(words.insert(std::ptr::from_ref(word(*block, tool)).addr()));
            }
        }
        assert_eq!(words.len(), 15_000);
        for block in blocks {
            let id = block.id();
            assert_eq!(arena.get(Id::from_value(id.value())).map(Block::id), Some(id));
            arena.free(id);
        }
        assert_eq!(word(arena.allocate().unwrap(), 2).load(SeqCst), 0);
    }

    #[test]
    fn a_freed_name_is_none_though_its_block_is_used_again() {
        let arena = arena(1);
        let old = arena.allocate().unwrap().id();
        arena.free(old);
        assert!(arena.get(old).is_none());
        let blocks: Vec<_> = (0..64).map(|_| arena.allocate().unwrap().id()).collect();
        assert!(!blocks.contains(&old) && arena.get(old).is_none());
        // A second end of the object takes no block from its new user.
        arena.free(old);
        assert!(blocks.iter().all(|id| arena.get(*id).is_some()));
        for value in [0, 1, 77, u64::MAX, 2 << 32, 0xdead_beef_0000_0001] {
            assert!(arena.get(Id::from_value(value)).is_none(), "{value:#x}");
            arena.free(Id::from_value(value));
        }
    }

    #[test]
    fn freed_blocks_are_used_again() {
        let arena = arena(2);
        for _ in 0..100_000 {
            let ids = [(); 5].map(|()| arena.allocate().unwrap().id());
            for id in ids {
                arena.free(id);
            }
        }
        assert!(arena.made() <= 64 * 32, "{}", arena.made());
    }

    /// Blocks wander from the threads that allocate to those that free.
    #[test]
    fn threads_share_the_blocks() {
        const THREADS: usize = 4;
        const ROUNDS: u64 = 50_000;
        let arena = arena(1);
        let slots: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
        let start = Barrier::new(THREADS);
        thread::scope(|scope| {
            for thread in 0..THREADS as u64 {
                let (arena, slots, start) = (&arena, &slots, &start);
                scope.spawn(move || {
                    start.wait();
                    for round in 0..ROUNDS {
                        let block = arena.allocate().unwrap();
                        assert_eq!(word(block, 0).swap(round + 1, SeqCst), 0, "used by another");
                        let slot = &slots[(round * 7 + thread) as usize % slots.len()];
                        let old = Id::from_value(slot.swap(block.id().value(), SeqCst));
                        if let Some(old_block) = arena.get(old) {
                            assert_ne!(word(old_block, 0).swap(0, SeqCst), 0);
                            arena.free(old);
                        }
                    }
                });
            }
        });
        assert!(arena.made() <= 64 * 32, "{}", arena.made());
    }
}
