//! Which threads may look for a group's tasks while the group is at a barrier. Steps and argument:
//! README.md beside this file.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

use super::tally::Tally;
use crate::Alone;
use crate::shim::{AtomicU32, fence, nap_on, pause, wake, yield_now};

/// The gate: open from the first task of a region, or after a barrier, until the barrier that
/// completes it.
///
/// Threads that have arrived at the barrier look for tasks while it is open, each registered by
/// `helping` in its tally. The last thread to arrive closes the gate and waits until no thread is
/// registered: then no helper of this barrier looks into a deque after the barrier.
#[derive(Debug)]
#[repr(align(128))]
pub struct Gate {
    open: AtomicU32,
    sleepers: AtomicU32,
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Gate { open: AtomicU32::new(0), sleepers: AtomicU32::new(0) }
    }

    /// Whether the gate is open.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        // Relaxed: a thread that makes a task comes after the barrier that closed the gate last,
        // and the last thread to arrive comes after all threads that opened it; to a helper the
        // answer is a hint.
        self.open.load(Relaxed) != 0
    }

    /// Opens the gate, then runs `queue`, which lets other threads find a task. If the gate was
    /// closed, runs `call` in between, which calls the threads that already wait at the barrier.
    ///
    /// In this order: the task may be complete, and the gate closed for good, as soon as `queue`
    /// has run (README, the rule of the gate).
    #[inline(always)]
    pub fn admit(&self, call: impl FnOnce(), queue: impl FnOnce()) {
        if !self.is_open() {
            self.open(call);
        }
        queue();
    }

    #[cold]
    fn open(&self, call: impl FnOnce()) {
        // AcqRel: the barrier that closed it last comes before each thread that enters now.
        if self.open.swap(1, AcqRel) == 0 {
            call();
        }
    }

    /// Whether the last thread to arrive at a barrier has to look for tasks; `outstanding` are
    /// those that the tallies do not count.
    ///
    /// In this order: a thread that completes an outstanding task opens the gate for those that it
    /// makes ready, and counts the completion afterwards.
    #[inline(always)]
    pub fn may_hide_tasks(&self, outstanding: &AtomicU32) -> bool {
        // Acquire: pairs with the Release of the completion's count.
        outstanding.load(Acquire) != 0 || self.is_open()
    }

    /// Registers the calling thread as a helper if the gate is open. Returns whether it is.
    pub fn enter(&self, tally: &Tally) -> bool {
        // A count, not a flag: the thread that had this number in the group before may still be in
        // this function.
        tally.helping.fetch_add(1, Relaxed);
        // Either this thread sees the gate closed, or the thread that closes it sees the count, or
        // both do.
        fence(SeqCst);
        // Acquire: the thread that opened it has seen the barriers before.
        if self.open.load(Acquire) != 0 {
            return true;
        }
        self.leave(tally);
        false
    }

    /// The helper looks into no deque from now on.
    pub fn leave(&self, tally: &Tally) {
        // Release: all that the helper did comes before; pairs with the Acquire in `close`. The
        // count is 0 already if a task that the helper ran has forked, and this is the child.
        let _ = tally.helping.fetch_update(Release, Relaxed, |helping| helping.checked_sub(1));
    }

    /// Closes the gate, when no task is left, and waits until the helpers have left.
    pub fn close<'a>(&self, tallies: impl Fn(u32) -> &'a Tally, size: u32) {
        self.open.store(0, Relaxed);
        // Pairs with the fence in `enter`. A helper that is about to sleep is seen here, or finds
        // the gate closed.
        fence(SeqCst);
        if self.sleepers.load(Relaxed) != 0 {
            wake(&self.open, i32::MAX);
        }
        for thread_num in 0..size {
            let mut looks = 0;
            while tallies(thread_num).helping.load(Acquire) != 0 {
                looks += 1;
                if looks < LOOKS { pause() } else { yield_now() }
            }
        }
    }

    /// A helper that finds nothing sleeps for a while, less if the gate closes.
    pub fn sleep(&self, nanoseconds: u64) {
        // Either the thread that closes the gate sees this sleeper, or the kernel finds the gate
        // closed: the kernel executes a full fence before it reads the word.
        self.sleepers.fetch_add(1, SeqCst);
        nap_on(&self.open, 1, nanoseconds);
        self.sleepers.fetch_sub(1, SeqCst);
    }

    /// In the child of a fork(2): the gate is closed, and no helper sleeps.
    pub fn forget(&self, _: &Alone) {
        self.open.store(0, Relaxed);
        self.sleepers.store(0, Relaxed);
    }
}

/// A helper leaves within a microsecond unless its processor was taken from it.
const LOOKS: u32 = 100;
