//! A thread's folded sums: a hash table in a chunk of the file, updated in place.

use oxomp_trace::fold::{ENTRY_SIZE, FoldEntry, FoldKind};
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};

use crate::store::{Chunk, Exhausted, Store};

/// Entries of a table.
const ENTRIES: usize = CHUNK_PAYLOAD / ENTRY_SIZE;
/// Entries that are probed for a key. Sums for which none is free go to the entry of their kind
/// without a key. The table always has room for those, since there are fewer kinds than probes.
const PROBES: usize = 24;

/// The table of one thread; the chunk is taken at the first use.
#[derive(Debug)]
pub(crate) struct Sums {
    chunk: Option<Chunk>,
}

impl Sums {
    pub(crate) const fn new() -> Self {
        Self { chunk: None }
    }

    /// The entry of a key, made if it is new.
    #[inline]
    pub(crate) fn entry(
        &mut self,
        store: &Store,
        owner: u32,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        let chunk = match self.chunk {
            Some(chunk) => chunk,
            None => {
                let chunk = store.take(ChunkKind::Fold, owner, 0)?;
                chunk.commit(ENTRIES * ENTRY_SIZE);
                *self.chunk.insert(chunk)
            }
        };
        // SAFETY: this thread is the chunk's writer, its payload is zero or entries, and big and
        // aligned enough for so many; the reference lives as long as that to `self`.
        let table =
            unsafe { std::slice::from_raw_parts_mut(chunk.payload().cast::<FoldEntry>(), ENTRIES) };
        let key = [key[0], key[1], 0];
        let wanted = FoldEntry { kind: kind as u32, sub: u32::from(sub), key, values: [0; 12] };
        let mut place = find(table, &wanted);
        if place.is_none() {
            let mut rest = wanted;
            rest.key = [0; 3];
            place = find(table, &rest);
        }
        let index = place.unwrap_or(0);
        Ok(&mut table[index])
    }

    /// Whether there is a table.
    pub(crate) const fn are_open(&self) -> bool {
        self.chunk.is_some()
    }

    /// Releases the table's chunk.
    pub(crate) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }
}

/// The entry of `wanted`'s key, or a free one; `None` if all probed entries have other keys.
#[inline]
fn find(table: &mut [FoldEntry], wanted: &FoldEntry) -> Option<usize> {
    let mix = (wanted.key[0] ^ wanted.key[1].rotate_left(21))
        .wrapping_add(u64::from(wanted.kind) << 8 | u64::from(wanted.sub))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let start = (mix >> 32) as usize % ENTRIES;
    for probe in 0..PROBES {
        let index = (start + probe) % ENTRIES;
        let entry = &mut table[index];
        if entry.kind == 0 {
            *entry = *wanted;
            return Some(index);
        }
        if entry.kind == wanted.kind && entry.sub == wanted.sub && entry.key == wanted.key {
            return Some(index);
        }
    }
    None
}
