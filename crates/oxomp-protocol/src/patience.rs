//! How a thread waits: spin, then yield, then sleep.
//!
//! `barrier/README.md` has the steps; the constants cite the benchmarks behind their lengths.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::kernel::monotonic_ns;
use crate::presence::{self, Sight};
use crate::shim::{IS_MODEL, pause};
use crate::yields::{self, Yield};

/// How long a waiter spins before it yields and how long it yields before it sleeps.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How many times it polls the word, each time after a pause hint, before the first system
    /// call.
    pub spins: u32,
    /// Nanoseconds of spinning and yielding before sleep, `u64::MAX` to never sleep; `None` for the
    /// blocktime in force when the waiter begins to yield.
    pub nanoseconds: Option<u64>,
}

/// How long an idle thread stays awake, as `Patience::nanoseconds`.
static BLOCKTIME: AtomicU64 = AtomicU64::new(u64::MAX);

/// The block time in force, in nanoseconds.
pub fn blocktime() -> u64 {
    BLOCKTIME.load(Relaxed)
}

/// Threads whose waits begin from now on stay awake for `nanoseconds`; for less where there are
/// more threads than processors and the user has not set the block time (`user_said`).
pub fn set_blocktime(nanoseconds: u64, user_said: bool) {
    BLOCKTIME.store(nanoseconds, Relaxed);
    let crowded = if user_said { nanoseconds } else { nanoseconds.min(CROWDED_BLOCKTIME_NS) };
    CROWDED_BLOCKTIME.store(crowded, Relaxed);
}

/// How long an idle thread stays awake where there are more threads than processors.
static CROWDED_BLOCKTIME: AtomicU64 = AtomicU64::new(u64::MAX);

/// Where there are more threads than processors, a waiter that keeps yielding takes its share of
/// the processor from the threads that it waits for. Ten times the cost of a sleep and its wake-up
/// lets barriers that follow each other closely be waited for with yields (`crowded` rows), and
/// ends longer waits in a sleep.
const CROWDED_BLOCKTIME_NS: u64 = 100_000;

impl Patience {
    /// Nanoseconds of yielding before sleep, for a waiter that begins to yield now.
    pub fn nanoseconds_now(self) -> u64 {
        let in_force = if self.is_crowded() { &CROWDED_BLOCKTIME } else { &BLOCKTIME };
        self.nanoseconds.unwrap_or_else(|| in_force.load(Relaxed))
    }

    /// Whether there are more threads than processors.
    fn is_crowded(self) -> bool {
        self.spins == Self::CROWDED_SPINS
    }

    /// Whether a thread may sleep that stays `awake` for so many nanoseconds: also one that never
    /// does by its block time, if there are more threads than processors and yields lose. libgomp
    /// shortens the wait of OMP_WAIT_POLICY=active there too.
    pub(crate) fn may_sleep(self, awake: u64) -> bool {
        awake != u64::MAX || self.is_crowded()
    }

    /// Polls before the first yield if there is a processor for every thread: about 20 µs
    /// (`parallel`, 2 threads).
    pub const SPINS: u32 = 1000;
    /// Polls before the first yield if there are more threads than processors: the thread that is
    /// waited for needs this processor to arrive (`crowded` rows: 4 and 8 threads on 2 processors).
    pub const CROWDED_SPINS: u32 = 4;
}

/// Polls with `look` until a value `is_it`, and returns that value: spins as `patience` says, then
/// yields between the polls, and, when the patience is over, naps between them. For words that
/// another thread changes in the course of its own work: that thread wakes no waiter, so no wake-up
/// can be lost.
#[inline]
pub fn look_until<T: Copy>(
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

#[cold]
fn look_long<T: Copy>(patience: Patience, look: impl Fn() -> T, is_it: impl Fn(T) -> bool) -> T {
    let began = monotonic_ns();
    let awake = patience.nanoseconds_now().max(LEAST_BEFORE_NAP_NS);
    let may_nap = patience.may_sleep(awake);
    let mut now = began;
    let mut last: Option<Yield> = None;
    loop {
        let seen = look();
        if is_it(seen) {
            if let Some(last) = last {
                // No thread says when it has changed the word: all of the yield may be lost.
                last.note_end_of_wait(|| last.took());
            }
            if !IS_MODEL && presence::is_noted() {
                presence::note(Sight::Stays);
            }
            return seen;
        }
        let waited = now - began;
        let pays = !may_nap || yields::pay_at(now) && !last.is_some_and(Yield::is_long);
        // A model has no clock: its threads poll and yield, and never nap.
        if IS_MODEL || waited < awake && pays {
            let this = Yield::now(now);
            now = this.ended;
            last = Some(this);
        } else {
            let nap = (waited / WAITED_PER_NAP).min(LONGEST_NAP_NS);
            std::thread::sleep(core::time::Duration::from_nanos(nap));
            now = monotonic_ns();
            last = None;
        }
    }
}

/// A nap costs a timer and two context switches, 60 to 80 µs (`machine_nap`): a shorter wait, as
/// between ordered regions that follow each other closely, yields whatever the wait policy, as long
/// as yields pay.
const LEAST_BEFORE_NAP_NS: u64 = 500_000;
/// A nap lasts one such part of the time waited so far, so that it lengthens a wait by at most that
/// part.
const WAITED_PER_NAP: u64 = 8;
/// The longest nap: a waiter that naps so long uses less than a hundredth of a processor.
const LONGEST_NAP_NS: u64 = 10_000_000;
