//! The chunks in which a thread keeps entries that it updates in place, in their order.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicU32};

use oxomp_trace::layout::ChunkKind;

use crate::store::{Exhausted, Store};

/// The most chunks of one kind that a thread can have: 64 MiB.
const MOST: usize = 1024;

/// Chunks of one kind. This is part of a slot and not of the log, since most of it is never
/// touched; only the slot's thread uses it. All zeros mean that there are no chunks.
#[derive(Debug)]
pub(crate) struct Pages {
    numbers: [AtomicU32; MOST],
    payloads: [AtomicPtr<u8>; MOST],
}

impl Pages {
    /// Takes a chunk of `owner`, which has `count` of the kind; its first `bytes` count from now
    /// on.
    #[cold]
    pub(crate) fn add(
        &self,
        store: &Store,
        kind: ChunkKind,
        owner: u32,
        count: usize,
        bytes: usize,
    ) -> Result<(), Exhausted> {
        let Some((number, payload)) = self.numbers.get(count).zip(self.payloads.get(count)) else {
            return Err(Exhausted::Limit);
        };
        let chunk = store.take(kind, owner, count as u32)?;
        chunk.commit(bytes);
        number.store(chunk.index(), Relaxed);
        payload.store(chunk.payload(), Relaxed);
        Ok(())
    }

    /// The payload of the chunk at `position`; null if there is no such chunk.
    #[inline]
    pub(crate) fn payload(&self, position: usize) -> *mut u8 {
        self.payloads.get(position).map_or(std::ptr::null_mut(), |payload| payload.load(Relaxed))
    }

    /// Releases the first `count` chunks.
    pub(crate) fn release(&self, store: &Store, count: usize) {
        for number in self.numbers.iter().take(count) {
            store.release(store.chunk(number.load(Relaxed)));
        }
    }
}
