//! Events of mutexes for which the log does more than count.

use ompt::{Mutex, MutexAcquire};
use oxomp_trace::info::EventClass;
use oxomp_trace::{EventKind, Record};

use super::collector::Collector;
use crate::context::Asked;
use crate::log::record;

impl Collector {
    /// The thread asks for a mutex, and does more than count that. Not part of the callback, whose
    /// common case needs few registers; the same is true of the two functions below.
    #[inline(never)]
    pub(super) fn time_request(&self, event: &MutexAcquire) {
        let (kind, code) = (event.kind.raw().0 as u8, event.codeptr_ra.0 as u64);
        self.event(EventClass::Locks, |log, store, now| {
            let id = event.wait_id.0;
            let asked = Asked { id, tick: now, paused: 0, code, kind, weight: 1, seen: None };
            log.ask(store, asked, event.implementation)
        });
    }

    /// The thread tests a lock. It has acquired the lock only if the next event says so.
    #[inline(never)]
    pub(super) fn test(&self, event: &MutexAcquire) {
        let (id, code) = (event.wait_id.0, event.codeptr_ra.0 as u64);
        let kind = event.kind.raw().0 as u8;
        self.event(EventClass::Locks, |log, store, now| {
            log.test_lock(store, now, (id, code, kind));
            if log.counts_request(id, code, event.kind) {
                return Ok(());
            }
            let asked = Asked { id, tick: now, paused: 0, code, kind, weight: 1, seen: None };
            log.ask(store, asked, event.implementation)
        });
    }

    /// The last test of the thread has not failed.
    #[inline(never)]
    pub(super) fn end_tests(&self, event: &Mutex) {
        self.event(EventClass::Locks, |log, store, now| {
            log.end_tests(store, now);
            if log.counts_acquisition(event.wait_id.0) {
                return Ok(());
            }
            log.acquire(store, mutex_record(EventKind::MutexAcquired, now, event))
        });
    }

    /// The thread has acquired a mutex.
    #[inline(never)]
    pub(super) fn time_acquisition(&self, event: &Mutex) {
        self.event(EventClass::Locks, |log, store, now| {
            log.acquire(store, mutex_record(EventKind::MutexAcquired, now, event))
        });
    }

    /// The thread has released a mutex.
    #[inline(never)]
    pub(super) fn time_release(&self, event: &Mutex) {
        self.event(EventClass::Locks, |log, store, now| {
            log.release_mutex(store, mutex_record(EventKind::MutexReleased, now, event))
        });
    }
}

fn mutex_record(kind: EventKind, tick: u64, event: &Mutex) -> Record {
    Record {
        sub: event.kind.raw().0 as u8,
        value: event.wait_id.0,
        code: event.codeptr_ra.0 as u64,
        ..record(kind, tick)
    }
}
