//! Acquisitions of mutexes that the runtime counts instead of reporting them
//! ([`crate::unreported`]) become part of the sums.

use oxomp_trace::fold::{FoldKind, counts, mutex};
use oxomp_trace::info::EventClass;

use crate::log::Log;
use crate::store::{Exhausted, Store};
use crate::unreported::Counted;
use crate::{clock, holds, overhead};

impl Log {
    /// The thread enters or leaves a region: the runtime counts unreported acquisitions of one
    /// region at a time.
    #[inline]
    pub(crate) fn end_unreported(&mut self, store: &Store) -> Result<(), Exhausted> {
        if !self.unreported.is_used() {
            return Ok(());
        }
        self.unreported.stop();
        self.add_unreported(store)
    }

    /// Adds to the sums the acquisitions that the runtime has counted.
    #[cold]
    pub(super) fn add_unreported(&mut self, store: &Store) -> Result<(), Exhausted> {
        let (places, released) = self.unreported.take_counted();
        for Counted { code, region, kind, id, acquisitions } in places {
            self.count_more(store, counts::ACQUIRED, acquisitions);
            let entry = self.sum(store, FoldKind::Mutex, kind, [code, region])?;
            entry.values[mutex::ACQUISITIONS] += acquisitions;
            entry.key[2] += acquisitions;
            let (word, bit) = mutex::place_of(id);
            entry.values[mutex::DISTINCT + word] |= bit;
            overhead::add_untimed(EventClass::Unreported, acquisitions);
        }
        self.count_more(store, counts::RELEASED, released);
        Ok(())
    }
}

/// A thread has released a mutex that it had acquired without an event: tells when, for the threads
/// that wait for the mutex.
#[cold]
pub(super) fn tell_release(id: u64) {
    if let Some(holds) = holds::table()
        && let Some(slot) = holds.find(id)
    {
        holds.tell_left(slot, clock::now());
    }
}
