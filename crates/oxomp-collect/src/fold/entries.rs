//! The entries to which a thread adds its sums.

use std::ptr::NonNull;

use oxomp_trace::fold::{FoldEntry, FoldKind, thread};

use crate::log::Log;
use crate::store::{Exhausted, Store};

impl Log {
    #[inline(always)]
    pub(super) fn sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        match self.sums.last(kind, sub, key).map(NonNull::from_mut) {
            // SAFETY: borrowed from the sums, which are borrowed for as long as the result.
            Some(mut entry) => Ok(unsafe { entry.as_mut() }),
            None => self.other_sum(store, kind, sub, key),
        }
    }

    #[inline(never)]
    fn other_sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        self.sums.entry(store, self.number, kind, sub, key)
    }

    /// Sums that are formed beside the events. `None` if the thread has no table yet and the file
    /// has little room: then the events come first.
    #[inline(always)]
    pub(crate) fn beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut [u64; 12]> {
        let mut entry = self.entry_beside(store, kind, sub, key)?;
        // SAFETY: borrowed from the sums, which are borrowed for as long as the result.
        Some(unsafe { &mut entry.as_mut().values })
    }

    /// The entry of the sums that [`Log::beside`] gives.
    #[inline(always)]
    pub(crate) fn entry_beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<NonNull<FoldEntry>> {
        match self.sums.last(kind, sub, key).map(NonNull::from_mut) {
            Some(entry) => Some(entry),
            None => self.other_beside(store, kind, sub, key),
        }
    }

    #[inline(never)]
    fn other_beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<NonNull<FoldEntry>> {
        if !self.sums.are_open() && store.in_use_for_good() >= store.capacity() / 2 {
            return None;
        }
        self.other_sum(store, kind, sub, key).ok().map(NonNull::from_mut)
    }

    /// The sums of this thread's time, which are complete up to `until`.
    #[inline(always)]
    pub(super) fn time(&mut self, store: &Store, until: u64) -> Result<&mut [u64; 12], Exhausted> {
        let key = [self.life, 0];
        let entry = self.sum(store, FoldKind::Thread, 0, key)?;
        entry.values[thread::UNTIL] = until;
        Ok(&mut entry.values)
    }

    /// The sums of this thread's time in regions, short ones or others.
    #[inline(always)]
    pub(super) fn time_in(
        &mut self,
        store: &Store,
        short: bool,
    ) -> Result<&mut [u64; 12], Exhausted> {
        let kind = if short { FoldKind::Short } else { FoldKind::Thread };
        let key = [self.life, 0];
        self.sum(store, kind, 0, key).map(|entry| &mut entry.values)
    }
}
