//! The forks of the process that are under way on the calling thread, and the wait for those of
//! others.

use core::cell::Cell;
use std::thread;
use std::time::{Duration, Instant};

use super::quiescence::Quiescence;

/// How long the forking thread waits for the others, and they for it: many times as long as the
/// fork of a large process takes (some ms a GiB). If a handler of another library waits for one of
/// these threads, the fork takes this long.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// How many quiescences in turn a thread waits for. A handler may wait for this thread, so the
/// forks of other threads must not keep it for ever.
const MOST: u32 = 10;

/// How long a thread sleeps between two looks: less than a fork takes.
pub(crate) const NAP: Duration = Duration::from_micros(50);

static QUIESCENCE: Quiescence = Quiescence::new();

std::thread_local! {
    /// The forks under way on this thread: a leading 1, then a bit for each fork, the latest last;
    /// the bit is 1 if the fork has begun a quiescence. A handler may fork, or be interrupted by a
    /// signal whose handler forks.
    static LEVELS: Cell<u64> = const { Cell::new(1) };
}

/// The number of quiescences that the calling thread has begun.
fn own() -> u32 {
    LEVELS.get().count_ones() - 1
}

/// Takes a lock by calling `lock`, outside of the quiescences of other threads' forks.
pub(super) fn outside<Guard>(lock: impl Fn() -> Guard) -> Guard {
    let mut end = None;
    QUIESCENCE.outside(own, lock, || {
        let generation = QUIESCENCE.generation();
        let (known, deadline, renewals) = end.unwrap_or((generation, Instant::now() + PATIENCE, 0));
        if known != generation && renewals < MOST {
            end = Some((generation, Instant::now() + PATIENCE, renewals + 1));
        } else if Instant::now() > deadline {
            QUIESCENCE.give_up();
        } else {
            end = Some((known, deadline, renewals));
            thread::sleep(NAP);
        }
    })
}

/// The calling thread is about to fork the process. With `begins`, it holds all locks at this
/// moment.
pub(crate) fn fork_begins(begins: bool) {
    if begins {
        QUIESCENCE.begin();
    }
    LEVELS.set(LEVELS.get() << 1 | u64::from(begins));
}

/// The process has forked, or could not.
pub(crate) fn fork_ends() {
    if take_level() {
        QUIESCENCE.end();
    }
}

/// In the child of a fork. Returns whether the fork had a quiescence: no thread was changing what a
/// lock guards.
pub(crate) fn fork_ends_in_child() -> bool {
    let is_quiescent = take_level() && QUIESCENCE.is_kept();
    QUIESCENCE.keep(own());
    is_quiescent
}

/// Ends the latest fork of the calling thread; returns whether this fork has begun a quiescence.
fn take_level() -> bool {
    let levels = LEVELS.get();
    LEVELS.set((levels >> 1).max(1));
    levels > 1 && levels & 1 != 0
}
