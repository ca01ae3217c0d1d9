//! A thread's folded sums: tables in chunks of the file, updated in place.
//!
//! A table that has no room for a key is followed by another one, so that every key has an entry of
//! its own as long as the file has room. Entries never move: what is in the file when the process
//! is killed is right. An index in memory leads from a key to its entry; a key without a place in
//! the index is searched in the tables.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_trace::fold::{ENTRY_SIZE, FoldEntry, FoldKind};
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};

use crate::pages::Pages;
use crate::store::{Exhausted, Store};

/// Entries of a table.
const ENTRIES: usize = CHUNK_PAYLOAD / ENTRY_SIZE;
/// Entries of a table that are probed for a key: a table is about three quarters full when it has
/// no room for one.
const PROBES: usize = 16;
/// Places of the index, and those that are probed for a key.
const PLACES: usize = 4096;
const PLACES_PROBED: usize = 4;

/// The sums of one thread; the first chunk is taken at the first use.
#[derive(Debug)]
pub(crate) struct Sums {
    tables: &'static Tables,
    /// How many tables there are.
    count: usize,
    /// The phase of the program to which the sums belong that are added to.
    phase: u16,
    /// For each kind, by its number, the entry of this phase that was used last: most often it is
    /// used next, too. Null at first.
    recent: [*mut FoldEntry; FoldKind::ALL.len() + 1],
}

/// Where the tables of a slot's thread are, and the index of their entries, which lies outside of
/// the log as [`Pages`] do. All zeros mean that there are no tables.
#[derive(Debug)]
pub(crate) struct Tables {
    pages: Pages,
    /// Entries by the hashes of their keys.
    index: [AtomicPtr<FoldEntry>; PLACES],
}

impl Sums {
    pub(crate) const fn new(tables: &'static Tables) -> Self {
        Self { tables, count: 0, phase: 0, recent: [ptr::null_mut(); FoldKind::ALL.len() + 1] }
    }

    /// The phase to which the sums belong that are added to.
    pub(crate) fn phase(&self) -> u16 {
        self.phase
    }

    /// From now on the sums of another phase are added to.
    pub(crate) fn enter_phase(&mut self, phase: u16) {
        self.phase = phase;
        self.recent = [ptr::null_mut(); FoldKind::ALL.len() + 1];
    }

    /// The entry of its kind that was used last, if it is the key's.
    #[inline(always)]
    pub(crate) fn last(
        &mut self,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut FoldEntry> {
        // SAFETY: null, or an entry of the tables, which this thread alone writes and which stay
        // mapped; the reference lives as long as that to the sums.
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
        let wanted = Key::of(kind, self.phase, sub, key);
        let hash = wanted.hash();
        let found = match self.indexed(&wanted, hash) {
            Some(entry) => entry,
            None => self.search(store, owner, &wanted, hash)?,
        };
        self.recent[kind as usize] = found;
        // SAFETY: an entry of the tables, as in `last`.
        Ok(unsafe { &mut *found })
    }

    /// The entry of a key, if the thread has one that is found without a search.
    pub(crate) fn known(
        &mut self,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut FoldEntry> {
        let wanted = Key::of(kind, self.phase, sub, key);
        let found = self.indexed(&wanted, wanted.hash())?;
        // SAFETY: an entry of the tables, as in `last`.
        Some(unsafe { &mut *found })
    }

    /// The key's entry, if the index leads to it.
    #[inline]
    fn indexed(&self, wanted: &Key, hash: u64) -> Option<*mut FoldEntry> {
        let entries = places(hash).map(|place| self.tables.index[place].load(Relaxed));
        // SAFETY: null, or an entry of the tables, to which there is no other reference now.
        let mut found =
            entries.filter(|&entry| unsafe { entry.as_ref() }.is_some_and(|it| wanted.is_of(it)));
        found.next()
    }

    /// The key's entry in the tables, made if it is new.
    #[cold]
    fn search(
        &mut self,
        store: &Store,
        owner: u32,
        wanted: &Key,
        hash: u64,
    ) -> Result<*mut FoldEntry, Exhausted> {
        let mut table = 0;
        let found = loop {
            if table == self.count {
                let bytes = ENTRIES * ENTRY_SIZE;
                self.tables.pages.add(store, ChunkKind::Fold, owner, table, bytes)?;
                self.count += 1;
            }
            let payload = self.tables.pages.payload(table).cast::<FoldEntry>();
            // SAFETY: this thread is the chunk's writer, its payload is zero or entries, big and
            // aligned enough for `ENTRIES`, and there is no other reference to one of them now.
            let entries = unsafe { std::slice::from_raw_parts_mut(payload, ENTRIES) };
            match find(entries, wanted, hash) {
                Some(position) => break &raw mut entries[position],
                None => table += 1,
            }
        };
        let index = &self.tables.index;
        let free = places(hash).find(|&place| index[place].load(Relaxed).is_null());
        let place = free.or(places(hash).next()).unwrap_or(0);
        index[place].store(found, Relaxed);
        Ok(found)
    }

    /// Whether there is a table.
    pub(crate) const fn are_open(&self) -> bool {
        self.count > 0
    }

    /// Releases the tables' chunks.
    pub(crate) fn close(&mut self, store: &Store) {
        if self.count == 0 {
            return;
        }
        self.tables.pages.release(store, self.count);
        for place in &self.tables.index {
            place.store(ptr::null_mut(), Relaxed);
        }
        self.count = 0;
        self.recent = [ptr::null_mut(); FoldKind::ALL.len() + 1];
    }
}

/// What tells entries apart.
#[derive(Debug, Clone, Copy)]
struct Key {
    kind: u32,
    sub: u32,
    key: [u64; 2],
}

impl Key {
    #[inline]
    fn of(kind: FoldKind, phase: u16, sub: u8, key: [u64; 2]) -> Self {
        Self { kind: FoldEntry::in_phase(kind, phase), sub: sub.into(), key }
    }

    #[inline]
    fn hash(&self) -> u64 {
        (self.key[0] ^ self.key[1].rotate_left(21))
            .wrapping_add(u64::from(self.kind) << 8 | u64::from(self.sub))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn is_of(&self, entry: &FoldEntry) -> bool {
        entry.kind == self.kind && entry.sub == self.sub && entry.key[..2] == self.key
    }
}

/// The places of a hash in the index.
#[inline]
fn places(hash: u64) -> impl Iterator<Item = usize> {
    let start = (hash >> 48) as usize;
    (start..start + PLACES_PROBED).map(|place| place % PLACES)
}

/// The position of the key's entry, made if there is room for it; `None` if all probed entries have
/// other keys.
fn find(entries: &mut [FoldEntry], wanted: &Key, hash: u64) -> Option<usize> {
    let start = (hash >> 32) as usize % ENTRIES;
    for probe in 0..PROBES {
        let position = (start + probe) % ENTRIES;
        let entry = entries.get_mut(position)?;
        if wanted.is_of(entry) {
            return Some(position);
        }
        if entry.kind == 0 {
            let Key { kind, sub, key } = *wanted;
            *entry = FoldEntry { kind, sub, key: [key[0], key[1], 0], values: [0; 12] };
            return Some(position);
        }
    }
    None
}
