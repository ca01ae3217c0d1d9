//! Mutexes: waits, holds, and blame.

use oxomp_trace::fold::{FoldKind, mutex};

use super::{Done, HOLDS, is_on};
use crate::context::{Asked, Held, MUTEX};
use crate::log::Log;
use crate::store::{Exhausted, Store};

impl Log {
    /// The thread asks for a mutex. Returns false if the event is to be recorded.
    pub(crate) fn ask(&mut self, store: &Store, asked: Asked) -> Done {
        if !is_on() {
            return Ok(false);
        }
        if !self.sums.are_open() {
            self.prepare_to_hold(store, &asked)?;
        }
        // A thread does not wait for a nest lock that it owns.
        if !self.context.held.iter().any(|held| held.id == asked.id) {
            self.context.asked = Some(asked);
        }
        Ok(true)
    }

    /// The thread's first request: the sums and the mutex's slot get their memory now, which would
    /// take some 30 µs of the first hold.
    #[cold]
    fn prepare_to_hold(&mut self, store: &Store, asked: &Asked) -> Result<(), Exhausted> {
        self.sum(store, FoldKind::Mutex, asked.kind, [asked.code, 0])?;
        if let Some(holds) = HOLDS.get() {
            holds.prepare(asked.id);
        }
        Ok(())
    }

    /// The thread has acquired a mutex. Returns false if the event is to be recorded.
    pub(crate) fn acquire(&mut self, store: &Store, now: u64, id: u64) -> Done {
        let Some(asked) = self.context.asked.take().filter(|asked| asked.id == id) else {
            return Ok(false);
        };
        let Some(holds) = HOLDS.get() else { return Ok(false) };
        let wait = now - asked.tick;
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
        let values = &mut self.sum(store, FoldKind::Mutex, asked.kind, [asked.code, 0])?.values;
        values[mutex::ACQUISITIONS] += 1;
        values[mutex::CONTENDED] += u64::from(blamed > 0);
        values[mutex::WAIT] += wait;
        values[mutex::MAX_WAIT] = values[mutex::MAX_WAIT].max(wait);
        values[mutex::UNATTRIBUTED] += forgotten;
        values[mutex::HANDOFF] += wait - blamed - forgotten;
        self.add_wait(store, now, MUTEX, wait)?;
        self.context.held.push(Held { id, code: asked.code, kind: asked.kind, since: now, ticket });
        Ok(true)
    }

    /// The thread has released a mutex. Returns false if the event is to be recorded.
    pub(crate) fn release_mutex(&mut self, store: &Store, now: u64, id: u64) -> Done {
        let Some(held) = self.context.held.take(|held| held.id == id) else {
            return Ok(false);
        };
        let end = match (HOLDS.get(), held.ticket) {
            (Some(holds), Some(ticket)) => holds.released(ticket, now),
            _ => now,
        };
        let length = end.saturating_sub(held.since);
        let (kind, code) = (held.kind, held.code);
        let values = &mut self.sum(store, FoldKind::Mutex, kind, [code, 0])?.values;
        values[mutex::HOLD] += length;
        values[mutex::MAX_HOLD] = values[mutex::MAX_HOLD].max(length);
        Ok(true)
    }
}
