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
    /// The entry of each kind that was used last, by the kind's number: most often the next one.
    recent: [u16; FoldKind::ALL.len() + 1],
}

impl Sums {
    pub(crate) const fn new() -> Self {
        Self { chunk: None, recent: [0; FoldKind::ALL.len() + 1] }
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
        if self.chunk.is_none() {
            self.open(store, owner)?;
        }
        let recent = &mut self.recent[kind as usize];
        let table = table(self.chunk.as_mut());
        let last = usize::from(*recent);
        let is_wanted = table.get(last).is_some_and(|entry| {
            entry.kind == kind as u32 && entry.sub == u32::from(sub) && entry.key[..2] == key
        });
        let index = if is_wanted { last } else { place(table, kind, sub, key) };
        *recent = index as u16;
        match table.get_mut(index) {
            Some(entry) => Ok(entry),
            None => Err(Exhausted::Limit),
        }
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
        self.recent = [0; FoldKind::ALL.len() + 1];
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
    let key = [key[0], key[1], 0];
    let wanted = FoldEntry { kind: kind as u32, sub: u32::from(sub), key, values: [0; 12] };
    let rest = FoldEntry { key: [0; 3], ..wanted };
    find(table, &wanted).or_else(|| find(table, &rest)).unwrap_or(0)
}

/// The entry of `wanted`'s key, or a free one; `None` if all probed entries have other keys.
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
