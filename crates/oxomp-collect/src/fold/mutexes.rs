//! Mutexes: waits, holds, and blame.

use oxomp_trace::fold::{FoldKind, counts, left_out, mutex};
use oxomp_trace::{EventKind, Record};

use super::HOLDS;
use crate::context::{Asked, Held, MUTEX};
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};

impl Log {
    /// The thread asks for a mutex of the implementation `how`.
    pub(crate) fn ask(&mut self, store: &Store, asked: Asked, how: u32) -> Result<(), Exhausted> {
        let Asked { id, tick, code, kind } = asked;
        let ask = record(EventKind::MutexAcquire, tick);
        self.record(store, Record { sub: kind, value: id, code, aux: how, ..ask })?;
        if !self.sums.are_open() {
            self.prepare_to_hold(store, &asked)?;
        }
        // A thread does not wait for a nest lock that it owns.
        if !self.context.held.iter().any(|held| held.id == id) {
            self.context.asked = Some(asked);
        }
        Ok(())
    }

    /// The thread's first request: the sums and the mutex's slot get their memory now, which would
    /// take some 30 µs of the first hold.
    #[cold]
    fn prepare_to_hold(&mut self, store: &Store, asked: &Asked) -> Result<(), Exhausted> {
        let region = self.region_of_wait();
        self.sum(store, FoldKind::Mutex, asked.kind, [asked.code, region])?;
        if let Some(holds) = HOLDS.get() {
            holds.prepare(asked.id);
        }
        Ok(())
    }

    /// The code address of the region in which the thread waits; 0 outside every region.
    fn region_of_wait(&mut self) -> u64 {
        let counts = self.only_counts();
        match self.context.regions.top() {
            Some(frame) => frame.region.code,
            None if counts => mutex::COUNTED_REGION,
            None => 0,
        }
    }

    /// The thread has acquired a mutex.
    pub(crate) fn acquire(&mut self, store: &Store, event: Record) -> Result<(), Exhausted> {
        self.record(store, event)?;
        let Record { tick: now, value: id, .. } = event;
        let Some(asked) = self.context.asked.take().filter(|asked| asked.id == id) else {
            return Ok(());
        };
        self.count(store, counts::ACQUIRED);
        let Some(holds) = HOLDS.get() else { return Ok(()) };
        let wait = now.saturating_sub(asked.tick);
        let region = self.region_of_wait();
        let mut blamed = 0;
        let mut failed = None;
        let (ticket, forgotten) = holds.acquired(id, asked.tick, now, asked.code, |code, ticks| {
            blamed += ticks;
            match self.sum(store, FoldKind::Blame, asked.kind, [asked.code, code]) {
                Ok(entry) => entry.values[0] += ticks,
                Err(exhausted) => failed = Some(exhausted),
            }
        });
        if let Some(exhausted) = failed {
            return Err(exhausted);
        }
        if ticket.is_none() {
            self.leave_out(store, left_out::UNFOLLOWED);
        }
        let values =
            &mut self.sum(store, FoldKind::Mutex, asked.kind, [asked.code, region])?.values;
        values[mutex::ACQUISITIONS] += 1;
        values[mutex::CONTENDED] += u64::from(blamed > 0);
        values[mutex::WAIT] += wait;
        values[mutex::MAX_WAIT] = values[mutex::MAX_WAIT].max(wait);
        values[mutex::UNATTRIBUTED] += forgotten;
        values[mutex::HANDOFF] += wait.saturating_sub(blamed + forgotten);
        let (word, bit) = mutex::place_of(id);
        values[mutex::DISTINCT + word] |= bit;
        self.add_wait(store, MUTEX, wait)?;
        self.settle_time(store, now)?;
        let Asked { code, kind, .. } = asked;
        if !self.context.held.push(Held { id, code, region, kind, since: now, ticket }) {
            self.leave_out(store, left_out::HOLDS);
        }
        Ok(())
    }

    /// The thread has released a mutex.
    pub(crate) fn release_mutex(&mut self, store: &Store, event: Record) -> Result<(), Exhausted> {
        self.record(store, event)?;
        let Record { tick: now, value: id, .. } = event;
        let Some(held) = self.context.held.take(|held| held.id == id) else { return Ok(()) };
        self.count(store, counts::RELEASED);
        let end = match (HOLDS.get(), held.ticket) {
            (Some(holds), Some(ticket)) => holds.released(ticket, now),
            _ => now,
        };
        let length = end.saturating_sub(held.since);
        let (kind, key) = (held.kind, [held.code, held.region]);
        let values = &mut self.sum(store, FoldKind::Mutex, kind, key)?.values;
        values[mutex::HOLD] += length;
        values[mutex::MAX_HOLD] = values[mutex::MAX_HOLD].max(length);
        Ok(())
    }
}
