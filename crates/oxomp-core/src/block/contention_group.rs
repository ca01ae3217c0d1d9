//! The threads under one initial task, and the limit on how many of them may be busy.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use oxomp_protocol::Alone;

/// A contention group (OpenMP 5.2 §1.2.3): its busy threads are at most thread-limit-var.
#[derive(Debug)]
pub(crate) struct ContentionGroup {
    limit: u32,
    busy: AtomicU32,
}

impl ContentionGroup {
    /// A group of at most `limit` busy threads, of which the initial thread is one.
    pub(crate) fn new(limit: u32) -> Self {
        ContentionGroup { limit, busy: AtomicU32::new(1) }
    }

    /// Whether the group has a limit, so that busy threads have to be counted.
    #[inline(always)]
    pub(crate) fn is_limited(&self) -> bool {
        self.limit < i32::MAX as u32
    }

    /// Makes up to `wanted` more threads busy, and returns how many.
    pub(crate) fn take(&self, wanted: u32) -> u32 {
        let mut busy = self.busy.load(Relaxed);
        loop {
            let granted = wanted.min(self.limit.saturating_sub(busy));
            // Relaxed: the count publishes nothing.
            match self.busy.compare_exchange_weak(busy, busy + granted, Relaxed, Relaxed) {
                Ok(_) => return granted,
                Err(now) => busy = now,
            }
        }
    }

    /// In the child of a fork(2): the surviving thread is the only busy one.
    pub(crate) fn forget_workers(&self, _: &Alone) {
        self.busy.store(1, Relaxed);
    }

    /// `count` threads are idle again.
    pub(crate) fn give_back(&self, count: u32) {
        self.busy.fetch_sub(count, Relaxed);
    }
}
