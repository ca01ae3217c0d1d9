//! Which callbacks are running, so that the tool's finalizer comes after them.
//!
//! A thread counts itself in before it looks for a callback and out after the callback has returned;
//! who ends the tool first unregisters the callbacks and then waits for the counts. All four steps
//! are sequentially consistent, so either the thread finds no callback, or the count is seen.

use core::sync::atomic::{AtomicU32, Ordering::Release, Ordering::SeqCst};

use crate::os;
use crate::sync::yield_now;
use crate::thread::Thread;

/// Enough for threads to have a count of their own, and so a cache line that nobody else writes.
const COUNTS: usize = 256;

#[repr(align(128))]
struct Count(AtomicU32);

static RUNNING: [Count; COUNTS] = [const { Count(AtomicU32::new(0)) }; COUNTS];

fn count_of_caller() -> &'static AtomicU32 {
    let number = Thread::known().map_or(0, Thread::number);
    &RUNNING[number as usize % COUNTS].0
}

/// While it lives, the calling thread may be in a callback.
pub(super) struct InFlight(&'static AtomicU32);

impl InFlight {
    #[inline]
    pub(super) fn enter() -> Self {
        let count = count_of_caller();
        count.fetch_add(1, SeqCst);
        InFlight(count)
    }
}

impl Drop for InFlight {
    #[inline]
    fn drop(&mut self) {
        self.0.fetch_sub(1, Release);
    }
}

/// Waits until the other threads have returned from their callbacks, but not for long: one of them
/// may wait for what the caller holds. The caller may be in a callback itself.
pub(super) fn wait_for_others() {
    const LONGEST_NS: u64 = 200_000_000;
    let own = count_of_caller();
    let deadline = os::monotonic_ns() + LONGEST_NS;
    for Count(running) in &RUNNING {
        if core::ptr::eq(running, own) {
            continue;
        }
        while running.load(SeqCst) != 0 && os::monotonic_ns() < deadline {
            yield_now();
        }
    }
}
