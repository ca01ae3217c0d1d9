//! How a thread waits: spin, then yield, then sleep.
//!
//! The steps and the figures behind their lengths are in `barrier/README.md`.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(not(loom))]
mod real {
    use crate::os;
    use crate::sync::AtomicU32;

    pub(crate) use crate::arch::pause;
    pub(crate) use crate::os::yield_now;

    pub(crate) fn sleep_on(word: &AtomicU32, expected: u32) {
        os::futex_wait(word, expected);
    }

    pub(crate) fn wake(word: &AtomicU32, count: i32) {
        os::futex_wake(word, count);
    }
}

/// Under the model the kernel is a mutex and a condition variable: a wake that the protocol forgot
/// leaves the sleeper asleep, and loom reports the deadlock.
#[cfg(loom)]
mod real {
    use crate::sync::AtomicU32;
    use core::sync::atomic::Ordering;
    use loom::sync::{Condvar, Mutex};

    loom::lazy_static! {
        static ref KERNEL: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());
        static ref YIELDS: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);
    }

    /// Yields of all threads in one run of a model after which loom does not branch any more: where
    /// several threads look in turn, it would let them do so for ever.
    const MOST_YIELDS: u32 = 24;

    /// Yields in one run of a model that is taken for endless: without branches every thread gets
    /// its turn, and what a thread waits for comes within a few.
    const ENDLESS: u32 = 10_000;

    pub(crate) fn yield_now() {
        match YIELDS.fetch_add(1, Ordering::Relaxed) {
            MOST_YIELDS => loom::skip_branch(),
            ENDLESS => panic!("threads look in turn, and none finds what it waits for"),
            _ => {}
        }
        loom::thread::yield_now();
    }

    pub(crate) fn pause() {
        yield_now();
    }

    pub(crate) fn sleep_on(word: &AtomicU32, expected: u32) {
        let guard = KERNEL.0.lock().unwrap();
        // Relaxed: the kernel compares, it publishes nothing.
        if word.load(Ordering::Relaxed) == expected {
            drop(KERNEL.1.wait(guard).unwrap());
        }
    }

    /// All words share the condition variable: in a model that wakes one there must be one word.
    pub(crate) fn wake(_word: &AtomicU32, count: i32) {
        let _guard = KERNEL.0.lock().unwrap();
        if count == 1 {
            KERNEL.1.notify_one();
        } else {
            KERNEL.1.notify_all();
        }
    }
}

pub(crate) use real::{pause, sleep_on, wake, yield_now};

/// How long a waiter spins before it yields and how long it yields before it sleeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Looks at the word, each after a pause hint, before the first system call.
    pub(crate) spins: u32,
    /// Nanoseconds of spinning and yielding before sleep, `u64::MAX` to never sleep; `None` for the
    /// blocktime in force when the waiter begins to yield.
    pub(crate) nanoseconds: Option<u64>,
}

/// How long an idle thread stays awake, as `Patience::nanoseconds`.
static BLOCKTIME: AtomicU64 = AtomicU64::new(u64::MAX);

/// The blocktime in force.
pub(crate) fn blocktime() -> u64 {
    BLOCKTIME.load(Relaxed)
}

/// Waits that begin from now on take that long. If the user has not said so, crowded ones do not.
pub(crate) fn set_blocktime(nanoseconds: u64, user_said: bool) {
    BLOCKTIME.store(nanoseconds, Relaxed);
    let crowded = if user_said { nanoseconds } else { nanoseconds.min(CROWDED_BLOCKTIME_NS) };
    CROWDED_BLOCKTIME.store(crowded, Relaxed);
}

/// The same where there are more threads than processors.
static CROWDED_BLOCKTIME: AtomicU64 = AtomicU64::new(u64::MAX);

/// There a waiter that keeps yielding takes its share of the processor from those it waits for. Ten
/// times what a sleep and its wake cost leaves barriers that follow each other closely to yields
/// (`crowded` rows), and ends the rest.
const CROWDED_BLOCKTIME_NS: u64 = 100_000;

impl Patience {
    /// Nanoseconds of yielding before sleep, from now on.
    pub(crate) fn nanoseconds_now(self) -> u64 {
        let in_force =
            if self.spins == Self::CROWDED_SPINS { &CROWDED_BLOCKTIME } else { &BLOCKTIME };
        self.nanoseconds.unwrap_or_else(|| in_force.load(Relaxed))
    }

    /// Looks before the first yield if there is a processor for every thread: about 20 µs, twice
    /// the round trip through the scheduler that a yield to nobody costs (`parallel`, 2 threads).
    pub(crate) const SPINS: u32 = 1000;
    /// Looks before the first yield if there is not: the partner needs our processor to arrive
    /// (`crowded` rows: 4 and 8 threads on 2 processors).
    pub(crate) const CROWDED_SPINS: u32 = 4;
}

/// Looks until what it sees `is_it`, and returns that: spins as `patience` says, yields between the
/// looks, and, patience over, naps between them. For words that another thread changes within its own
/// work, of which nobody counts the waiters: nobody wakes, so nothing can be missed.
pub(crate) fn look_until<T: Copy>(
    patience: Patience,
    look: impl Fn() -> T,
    is_it: impl Fn(T) -> bool,
) -> T {
    for _ in 0..patience.spins {
        let seen = look();
        if is_it(seen) {
            return seen;
        }
        pause();
    }
    look_long(patience, look, is_it)
}

#[cfg(not(loom))]
#[cold]
fn look_long<T: Copy>(patience: Patience, look: impl Fn() -> T, is_it: impl Fn(T) -> bool) -> T {
    let began = crate::os::monotonic_ns();
    let awake = patience.nanoseconds_now().max(LEAST_BEFORE_NAP_NS);
    loop {
        let seen = look();
        if is_it(seen) {
            return seen;
        }
        let waited = crate::os::monotonic_ns() - began;
        if waited < awake {
            yield_now();
        } else {
            let nap = (waited / WAITED_PER_NAP).min(LONGEST_NAP_NS);
            std::thread::sleep(core::time::Duration::from_nanos(nap));
        }
    }
}

#[cfg(loom)]
fn look_long<T: Copy>(_patience: Patience, look: impl Fn() -> T, is_it: impl Fn(T) -> bool) -> T {
    loop {
        let seen = look();
        if is_it(seen) {
            return seen;
        }
        yield_now();
    }
}

/// A nap costs a timer and two switches, some 60 µs: shorter waits yield, whatever the wait policy
/// (ordered regions that follow each other closely).
#[cfg(not(loom))]
const LEAST_BEFORE_NAP_NS: u64 = 500_000;
/// What a nap adds to a wait is at most this part of it.
#[cfg(not(loom))]
const WAITED_PER_NAP: u64 = 8;
/// Then a waiter takes less than a hundredth of a processor.
#[cfg(not(loom))]
const LONGEST_NAP_NS: u64 = 10_000_000;
