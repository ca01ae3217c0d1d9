//! A recording of the last seconds: chunks of what is past are handed out again.
//!
//! Only the helper thread gives chunks back, those of a stream in their order: it has sealed the
//! chunk, the stream has a later one, and the chunk is as old as what is kept, or its kind has more
//! of the file than is for it. It fills the chunk with zeros and marks it as free (Release); the
//! thread that takes it changes the mark by an atomic exchange (Acquire), so one thread has it
//! (Invariant 1). A reader of the file that meets a chunk in between finds no magic, or a wrong
//! checksum.

use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};

use oxomp_trace::layout::{CHUNK_SIZE, ChunkKind, KIND_OFFSET, OWNER_OFFSET, SEQUENCE_OFFSET};

use super::{FREE, FULL, OPEN, SEALED, Store, TAKEN};
use crate::clock;

/// More than the highest number of a kind.
const KINDS: usize = 32;
/// The parts of the file that chunks of each kind may have before the oldest are given back, in
/// parts of [`WHOLE`]: less than the kind's limit in the collector, so that threads find room for
/// what is new.
const SHARES: [(ChunkKind, u32); 5] = [
    (ChunkKind::Events, 64),
    (ChunkKind::Samples, 10),
    (ChunkKind::BlockedSamples, 4),
    (ChunkKind::Registers, 3),
    (ChunkKind::MpiEvents, 12),
];
const WHOLE: u32 = 128;
/// If more of the file is in use, events are given back, too: sums may have the rest.
const MOST_IN_USE: u32 = 80;
/// After one such part of the time for which chunks are kept the helper looks again.
const PART_OF_KEPT: u64 = 64;

/// The chunks that were given back.
#[derive(Debug, Default)]
pub(super) struct Returned {
    /// How many of them wait to be taken: at least as many as are marked.
    free: AtomicU32,
    /// Whether none is taken any more.
    has_ended: AtomicBool,
    /// Where the next search begins.
    hint: AtomicU32,
    /// How often a chunk was taken again.
    taken: AtomicU32,
    /// The chunks in use, by the numbers of their kinds.
    by_kind: [AtomicU32; KINDS],
    /// Whether there is a [`Recycler`].
    recycles: AtomicBool,
}

impl Returned {
    /// Counts a chunk that is taken (1) or given back (-1).
    pub(super) fn count(&self, kind: ChunkKind, change: i32) {
        if let Some(count) = self.by_kind.get(kind as usize) {
            count.fetch_add(change.cast_unsigned(), Ordering::Relaxed);
        }
    }
}

/// The helper's part: which chunks it gives back.
#[derive(Debug)]
pub(crate) struct Recycler {
    /// For how long chunks are kept, in ticks.
    kept: u64,
    /// By index, when a chunk was first seen sealed; 0: it was not.
    sealed_at: Vec<u64>,
    /// When it looks next, in ticks, unless there is little room.
    due: u64,
}

impl Recycler {
    /// Keeps the chunks of `store` for `kept` ticks.
    pub(crate) fn new(store: &Store, kept: u64) -> Self {
        store.returned.recycles.store(true, Ordering::Relaxed);
        Self { kept, sealed_at: Vec::new(), due: 0 }
    }

    /// Gives back what is past, if it is time.
    pub(crate) fn pass(&mut self, store: &Store) {
        let now = clock::now().max(1);
        let is_tight = SHARES.iter().any(|(kind, _)| store.is_over(*kind));
        if now < self.due && !is_tight {
            return;
        }
        self.due = now + self.kept / PART_OF_KEPT;
        let taken = store.taken();
        self.sealed_at.resize(taken as usize, 0);
        let mut newest = HashMap::new();
        let mut sealed = Vec::new();
        for index in 0..taken {
            // Acquire: pairs with the Release in `Store::take`; the header is there.
            let state = store.states[index as usize].load(Ordering::Acquire);
            if !matches!(state, OPEN | FULL | SEALED) {
                continue;
            }
            let Some((stream, sequence)) = store.passing(index) else { continue };
            let last = newest.entry(stream).or_insert(sequence);
            *last = sequence.max(*last);
            if state == SEALED {
                let at = &mut self.sealed_at[index as usize];
                *at = if *at == 0 { now } else { *at };
                sealed.push((*at, sequence, index, stream));
            }
        }
        sealed.sort_unstable();
        for (at, sequence, index, stream) in sealed {
            let is_past = now.saturating_sub(at) > self.kept;
            if newest[&stream] != sequence && (is_past || store.is_over(stream.0)) {
                self.sealed_at[index as usize] = 0;
                store.recycle(index);
                store.returned.count(stream.0, -1);
            }
        }
    }
}

impl Store {
    /// Takes a chunk that was given back.
    #[inline]
    pub(super) fn take_returned(&self) -> Option<u32> {
        let free = self.returned.free.load(Ordering::Relaxed);
        if free == 0 || self.returned.has_ended.load(Ordering::Relaxed) {
            return None;
        }
        self.find_returned()
    }

    #[cold]
    fn find_returned(&self) -> Option<u32> {
        let taken = self.taken();
        let start = self.returned.hint.load(Ordering::Relaxed);
        for step in 0..taken {
            let index = (start.wrapping_add(step)) % taken;
            let state = &self.states[index as usize];
            let is_free = state.load(Ordering::Relaxed) == FREE;
            // Acquire: pairs with the Release in `recycle`; the zeros are there.
            let take = |state: &AtomicU8| {
                state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
            };
            if is_free && take(state).is_ok() {
                self.returned.free.fetch_sub(1, Ordering::Relaxed);
                self.returned.hint.store(index + 1, Ordering::Relaxed);
                self.returned.taken.fetch_add(1, Ordering::Relaxed);
                return Some(index);
            }
        }
        None
    }

    /// Gives a sealed chunk back. Only the helper thread calls this.
    fn recycle(&self, index: u32) {
        let chunk = self.chunk(index);
        // SAFETY: the chunk is sealed, so no thread writes it (Invariant 3); its memory is mapped
        // and reserved. The magic goes first: what is left is no chunk.
        unsafe {
            chunk.word(0).store(0, Ordering::Release);
            ptr::write_bytes(chunk.base.as_ptr().add(4), 0, CHUNK_SIZE - 4);
        }
        // The sealing thread, which is this one, looks at the chunk again.
        self.sealed.fetch_min(index, Ordering::Relaxed);
        // Counted first, lest the count fall below zero.
        self.returned.free.fetch_add(1, Ordering::Relaxed);
        // Release: pairs with the Acquire in `find_returned`.
        self.states[index as usize].store(FREE, Ordering::Release);
    }

    /// No chunk that was given back is taken any more.
    pub(super) fn end_returning(&self) {
        self.returned.has_ended.store(true, Ordering::Relaxed);
    }

    /// Whether chunks of a kind that passes have more of the file than is for them.
    fn is_over(&self, kind: ChunkKind) -> bool {
        let share = SHARES.iter().find(|(one, _)| *one == kind).map_or(WHOLE, |(_, share)| *share);
        let parts = |chunks: u32| u64::from(chunks) * u64::from(WHOLE);
        let most = |share: u32| u64::from(self.capacity) * u64::from(share);
        let is_full = kind == ChunkKind::Events && parts(self.in_use()) > most(MOST_IN_USE);
        is_full || parts(self.in_use_by(kind)) > most(share).max(u64::from(WHOLE))
    }

    /// How many of the chunks in use will not be given back: in a recording of the whole run, all.
    pub(crate) fn in_use_for_good(&self) -> u32 {
        if !self.recycles() {
            return self.in_use();
        }
        let passing: u32 = SHARES.iter().map(|(kind, _)| self.in_use_by(*kind)).sum();
        self.in_use().saturating_sub(passing)
    }

    /// How many chunks are in use.
    pub(crate) fn in_use(&self) -> u32 {
        self.taken() - self.returned.free.load(Ordering::Relaxed).min(self.taken())
    }

    /// How many chunks of a kind are in use.
    pub(crate) fn in_use_by(&self, kind: ChunkKind) -> u32 {
        self.returned.by_kind.get(kind as usize).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Whether what is past is given back.
    pub(crate) fn recycles(&self) -> bool {
        self.returned.recycles.load(Ordering::Relaxed)
    }

    /// How many chunks have been taken so far, those that were given back each time.
    pub(crate) fn taken_ever(&self) -> u32 {
        self.taken().saturating_add(self.returned.taken.load(Ordering::Relaxed))
    }

    /// The stream of a chunk in use and its position there, if it is of what passes.
    fn passing(&self, index: u32) -> Option<((ChunkKind, u32), u32)> {
        let chunk = self.chunk(index);
        // SAFETY: aligned and inside the header.
        let word = |offset| unsafe { chunk.word(offset) }.load(Ordering::Relaxed);
        let kind = ChunkKind::from_number(word(KIND_OFFSET) as u16)?;
        kind.passes().then(|| ((kind, word(OWNER_OFFSET)), word(SEQUENCE_OFFSET)))
    }
}
