//! A generation that one side advances and others wait for.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::AtomicU32;
use super::wait::{Patience, pause, sleep_on, wake, yield_now};

/// A generation number with a mark for sleepers: what docks and barriers release their waiters by.
///
/// Invariants:
/// 1. Bit 0 (`SLEEPERS`) is set only by a waiter about to sleep on the value that it makes, and
///    cleared only by `advance`. The rest is the generation, in steps of 2.
/// 2. Only one thread advances at a time, and only from a generation whose waiters it may release.
/// 3. Who sees a generation (Acquire) sees all that its `advance` (Release) came after.
///
/// No wake is lost: sleeper and releaser both change the one word. If the waiter's mark comes first,
/// the releaser's swap returns it and wakes; if the swap comes first, the waiter's compare-exchange
/// fails or the kernel finds the value changed, and it does not sleep.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct ReleaseWord {
    word: AtomicU32,
    /// A hint: who advances shares the waiter's processor, as its last yield showed, so the waiter
    /// yields before it spins. (`neighbour` rows: another process computes on one of two processors.)
    shares_processor: AtomicBool,
}

/// Somebody sleeps on the word.
const SLEEPERS: u32 = 1;
/// From one generation to the next.
const STEP: u32 = 2;

/// A generation seen in a `ReleaseWord`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Generation(u32);

impl Generation {
    /// The generation of a new word.
    pub(crate) const FIRST: Generation = Generation(0);
}

impl ReleaseWord {
    pub(crate) fn new() -> Self {
        ReleaseWord { word: AtomicU32::new(0), shares_processor: AtomicBool::new(false) }
    }

    /// Begins with the first generation again. Only while nobody waits or advances.
    pub(crate) fn reset(&self) {
        self.word.store(Generation::FIRST.0, Relaxed);
    }

    /// The generation now, to wait past it later.
    #[inline(always)]
    pub(crate) fn current(&self) -> Generation {
        Generation(self.word.load(Relaxed) & !SLEEPERS)
    }

    /// Whether `seen` is over.
    #[inline(always)]
    pub(crate) fn is_past(&self, seen: Generation) -> bool {
        // Acquire: pairs with the swap in `advance` (Invariant 3).
        self.word.load(Acquire) & !SLEEPERS != seen.0
    }

    /// Ends the current generation and wakes who sleeps on it.
    ///
    /// The word may be freed by a released waiter before this returns; only its address is used
    /// after the swap, and only if somebody sleeps.
    #[inline(always)]
    pub(crate) fn advance(&self) {
        let next = (self.word.load(Relaxed) & !SLEEPERS).wrapping_add(STEP);
        // Release: what came before is published with the generation (Invariant 3).
        if self.word.swap(next, Release) & SLEEPERS != 0 {
            self.wake_sleepers();
        }
    }

    #[cold]
    fn wake_sleepers(&self) {
        wake(&self.word, i32::MAX);
    }

    /// Returns when `seen` is over.
    #[inline(always)]
    pub(crate) fn wait(&self, seen: Generation, patience: Patience) {
        let shares_processor = self.shares_processor.load(Relaxed);
        let spins = if shares_processor { Patience::CROWDED_SPINS } else { patience.spins };
        for _ in 0..spins {
            if self.is_past(seen) {
                return;
            }
            pause();
        }
        self.wait_long(seen, patience);
    }

    #[cold]
    fn wait_long(&self, seen: Generation, patience: Patience) {
        if !self.yield_until_past(seen, patience) {
            self.sleep_until_past(seen);
        }
    }

    /// Yields and looks until `seen` is over or patience is: whether it is over.
    #[cfg(not(loom))]
    fn yield_until_past(&self, seen: Generation, patience: Patience) -> bool {
        let began = crate::os::monotonic_ns();
        yield_now();
        let took = crate::os::monotonic_ns() - began;
        // Written only when it changes, since the line is the releaser's too.
        let shares_processor = took >= SWITCH_NS && self.is_past(seen);
        if self.shares_processor.load(Relaxed) != shares_processor {
            self.shares_processor.store(shares_processor, Relaxed);
        }
        let deadline = began.saturating_add(patience.nanoseconds_now());
        loop {
            for _ in 0..YIELDS_PER_CLOCK_READ {
                if self.is_past(seen) {
                    return true;
                }
                yield_now();
                // Where every thread has a processor the yield found nobody: look more often than
                // the system call lasts.
                for _ in 0..patience.spins.min(SPINS_PER_YIELD) {
                    if self.is_past(seen) {
                        return true;
                    }
                    pause();
                }
            }
            if crate::os::monotonic_ns() >= deadline {
                return self.is_past(seen);
            }
        }
    }

    #[cfg(loom)]
    fn yield_until_past(&self, seen: Generation, _patience: Patience) -> bool {
        yield_now();
        self.is_past(seen)
    }

    fn sleep_until_past(&self, seen: Generation) {
        loop {
            let asleep = seen.0 | SLEEPERS;
            // Relaxed: the mark publishes nothing; the loop's end acquires.
            match self.word.compare_exchange(seen.0, asleep, Relaxed, Relaxed) {
                Ok(_) => sleep_on(&self.word, asleep),
                Err(other) if other == asleep => sleep_on(&self.word, asleep),
                Err(_) => {}
            }
            if self.is_past(seen) {
                return;
            }
        }
    }
}

/// A yield that lasts longer has let another thread run; one that finds nobody takes 300 ns or so.
#[cfg(not(loom))]
const SWITCH_NS: u64 = 1_000;
/// Between two looks at the clock (20 ns) pass that many yields (300 ns and more each).
#[cfg(not(loom))]
const YIELDS_PER_CLOCK_READ: u32 = 8;
/// About 1 µs of looking between two yields.
#[cfg(not(loom))]
const SPINS_PER_YIELD: u32 = 60;
