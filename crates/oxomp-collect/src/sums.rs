//! A thread's folded sums: a hash table in a chunk of the file, updated in place.

use std::ptr;

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
    /// The entry of each kind that was used last, by the kind's number: most often the next one.
    /// Null at first.
    recent: [*mut FoldEntry; FoldKind::ALL.len() + 1],
}

impl Sums {
    pub(crate) const fn new() -> Self {
        Self { chunk: None, recent: [ptr::null_mut(); FoldKind::ALL.len() + 1] }
    }

    /// The entry of its kind that was used last, if it is the key's.
    #[inline(always)]
    pub(crate) fn last(
        &mut self,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut FoldEntry> {
        // SAFETY: null, or an entry of the chunk, which this thread alone writes and which stays
        // mapped; the reference lives as long as that to the table.
        let entry = unsafe { self.recent[kind as usize].as_mut() }?;
        let same = entry.key[0] == key[0] && entry.key[1] == key[1] && entry.sub == u32::from(sub);
        same.then_some(entry)
    }

    /// The entry of a key, made if it is new.
    pub(crate) fn entry(
        &mut self,
        store: &Store,
        owner: u32,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        if self.chunk.is_none() {
            self.open(store, owner)?;
        }
        let table = table(self.chunk.as_mut());
        let index = place(table, kind, sub, key);
        let entry = table.get_mut(index).ok_or(Exhausted::Limit)?;
        self.recent[kind as usize] = entry;
        Ok(entry)
    }

    /// Takes the chunk of the table.
    #[cold]
    fn open(&mut self, store: &Store, owner: u32) -> Result<(), Exhausted> {
        let chunk = store.take(ChunkKind::Fold, owner, 0)?;
        chunk.commit(ENTRIES * ENTRY_SIZE);
        self.chunk = Some(chunk);
        Ok(())
    }

    /// Whether there is a table.
    pub(crate) const fn are_open(&self) -> bool {
        self.chunk.is_some()
    }

    /// Whether there are sums of the thread's own time among them.
    pub(crate) fn are_a_threads(&mut self) -> bool {
        let table = table(self.chunk.as_mut());
        table.iter().any(|entry| entry.kind == FoldKind::Thread as u32)
    }

    /// Releases the table's chunk.
    pub(crate) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
        self.recent = [ptr::null_mut(); FoldKind::ALL.len() + 1];
    }
}

/// The table in a chunk of a thread's own; empty without one.
#[inline]
fn table(chunk: Option<&mut Chunk>) -> &mut [FoldEntry] {
    match chunk {
        // SAFETY: this thread is the chunk's writer, its payload is zero or entries, and big and
        // aligned enough for so many; the reference lives as long as that to the chunk.
        Some(chunk) => unsafe {
            std::slice::from_raw_parts_mut(chunk.payload().cast::<FoldEntry>(), ENTRIES)
        },
        None => &mut [],
    }
}

/// The position of a key's entry, made if it is new.
fn place(table: &mut [FoldEntry], kind: FoldKind, sub: u8, key: [u64; 2]) -> usize {
    find(table, kind, sub, key).or_else(|| find(table, kind, sub, [0; 2])).unwrap_or(0)
}

/// The entry of the key, or a free one; `None` if all probed entries have other keys.
fn find(table: &mut [FoldEntry], kind: FoldKind, sub: u8, key: [u64; 2]) -> Option<usize> {
    let (kind, sub) = (kind as u32, u32::from(sub));
    let mix = (key[0] ^ key[1].rotate_left(21))
        .wrapping_add(u64::from(kind) << 8 | u64::from(sub))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let start = (mix >> 32) as usize % ENTRIES;
    for probe in 0..PROBES {
        let index = (start + probe) % ENTRIES;
        let entry = table.get_mut(index)?;
        if entry.kind == kind && entry.sub == sub && entry.key[..2] == key {
            return Some(index);
        }
        if entry.kind == 0 {
            *entry = FoldEntry { kind, sub, key: [key[0], key[1], 0], values: [0; 12] };
            return Some(index);
        }
    }
    None
}
