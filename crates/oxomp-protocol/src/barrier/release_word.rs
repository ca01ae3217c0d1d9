//! An epoch that one side advances and others wait for.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicU16};

use crate::kernel::monotonic_ns;
use crate::patience::Patience;
use crate::presence::{self, Sight};
use crate::shim::{AtomicU32, IS_MODEL, pause, sleep_on, wake};
use crate::yields::{self, Moment, Yield};

/// An epoch number with a mark for sleepers, by which docks and barriers release their waiters.
///
/// Invariants:
/// 1. Bit 0 (`SLEEPERS`) is set only by a waiter about to sleep on the value that it makes, and
///    cleared only by `advance`. Bit 1 (`CALLED`) says nothing of the epoch. The other bits
///    are the epoch, in steps of 4. A call outlasts an `advance`: it may be meant for the next
///    epoch.
/// 2. Only one thread advances at a time, and only from an epoch whose waiters it may release.
/// 3. A thread that sees an epoch (Acquire) sees all that its `advance` (Release) came after. A
///    thread that sees a call sees all that the call came after.
///
/// No wake-up is lost: sleeper and releaser both change the one word. If the waiter's mark comes
/// first, the releaser's exchange returns it, and the releaser wakes the sleepers. If the exchange
/// comes first, the waiter's compare-exchange fails or the kernel finds the value changed, and the
/// waiter does not sleep. A call and a sleeper meet in the same way.
#[derive(Debug)]
#[repr(C)]
pub struct ReleaseWord {
    word: AtomicU32,
    /// A hint: the releasing thread shares the waiter's processor, as the waiter's last yield has
    /// shown, so the waiter yields before it spins (`neighbour` rows: another process computes on
    /// one of two processors).
    shares_processor: AtomicBool,
    /// When the last epoch was ended or the last call made, a `Moment`, if threads note where they
    /// are: a waiter looks after a long yield.
    ended: AtomicU16,
}

/// A thread sleeps on the word.
const SLEEPERS: u32 = 1;
/// The waiting threads are called to other work.
const CALLED: u32 = 2;
/// The distance from one epoch to the next.
const STEP: u32 = 4;
/// The bits that hold the epoch.
const EPOCH: u32 = !(STEP - 1);

/// An epoch seen in a `ReleaseWord`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(pub(super) u32);

impl Epoch {
    /// The epoch of a new word.
    pub const FIRST: Epoch = Epoch(0);

    /// The number of the epoch, from 0, modulo 2^30.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0 / STEP
    }
}

impl ReleaseWord {
    /// A word in its first epoch, at which no thread waits.
    pub fn new() -> Self {
        ReleaseWord {
            word: AtomicU32::new(0),
            shares_processor: AtomicBool::new(false),
            ended: AtomicU16::new(0),
        }
    }

    /// Begins with the first epoch again. Only while no thread waits or advances.
    pub fn reset(&self) {
        self.word.store(Epoch::FIRST.0, Relaxed);
    }

    /// The current epoch, to wait past it later.
    #[inline(always)]
    pub fn current(&self) -> Epoch {
        Epoch(self.word.load(Relaxed) & EPOCH)
    }

    /// Whether `seen` is over.
    #[inline(always)]
    pub fn is_past(&self, seen: Epoch) -> bool {
        // Acquire: pairs with the exchange in `advance` (Invariant 3).
        self.word.load(Acquire) & EPOCH != seen.0
    }

    /// Ends the current epoch and wakes the threads that sleep on it. For the one thread that may
    /// release them now (Invariant 2).
    ///
    /// The word may be freed by a released waiter before this returns; only its address is used
    /// after the exchange, and only if a thread sleeps.
    #[inline(always)]
    pub fn advance(&self) {
        if !IS_MODEL && presence::is_noted() {
            self.note_end();
        }
        let mut word = self.word.load(Relaxed);
        loop {
            let next = (word & !SLEEPERS).wrapping_add(STEP);
            // Release: all that came before is published with the epoch (Invariant 3).
            match self.word.compare_exchange(word, next, Release, Relaxed) {
                Ok(_) => break,
                Err(other) => word = other,
            }
        }
        if word & SLEEPERS != 0 {
            self.wake_sleepers();
        }
    }

    /// Calls the threads that wait, and those that will wait: their `wait_or_called` returns.
    pub fn call(&self) {
        if !IS_MODEL && presence::is_noted() {
            self.note_end();
        }
        // Release: a thread that sees the call also sees the reason for it.
        let word = self.word.fetch_or(CALLED, Release);
        if word & (SLEEPERS | CALLED) == SLEEPERS {
            self.wake_sleepers();
        }
    }

    /// Withdraws the call: a thread that has not seen it waits on. For the thread that does what
    /// the call is for, or knows that nothing is left to do.
    pub fn withdraw_call(&self) {
        // Acquire: the caller sees the reason of each call that it withdraws.
        self.word.fetch_and(!CALLED, Acquire);
    }

    /// Notes that a wait for this word ends now, and that the thread that ends it goes on.
    #[cold]
    fn note_end(&self) {
        // Relaxed: the change of the word that follows publishes it.
        self.ended.store(Moment::of(presence::note(Sight::Stays)).0, Relaxed);
    }

    #[cold]
    fn wake_sleepers(&self) {
        wake(&self.word, i32::MAX);
    }

    /// Returns when `seen` is over.
    #[inline(always)]
    pub fn wait(&self, seen: Epoch, patience: Patience) {
        self.wait_for::<false>(seen, patience);
    }

    /// Waits until `seen` is over or the word is called. Returns whether `seen` is over.
    #[inline(always)]
    pub fn wait_or_called(&self, seen: Epoch, patience: Patience) -> bool {
        self.wait_for::<true>(seen, patience);
        self.is_past(seen)
    }

    /// Whether the wait for the end of `seen` is over: by an advance, or, if the waiter is
    /// `CALLABLE`, by a call.
    #[inline(always)]
    fn is_ended<const CALLABLE: bool>(&self, seen: Epoch) -> bool {
        // Acquire: pairs with `advance` (Invariant 3) and `call`.
        let word = self.word.load(Acquire);
        word & EPOCH != seen.0 || CALLABLE && word & CALLED != 0
    }

    #[inline(always)]
    fn wait_for<const CALLABLE: bool>(&self, seen: Epoch, patience: Patience) {
        let shares_processor = self.shares_processor.load(Relaxed);
        let spins = if shares_processor { Patience::CROWDED_SPINS } else { patience.spins };
        for _ in 0..spins {
            if self.is_ended::<CALLABLE>(seen) {
                return;
            }
            pause();
        }
        self.wait_long::<CALLABLE>(seen, patience);
    }

    #[cold]
    fn wait_long<const CALLABLE: bool>(&self, seen: Epoch, patience: Patience) {
        // A model does not yield here: loom would run all other threads first, and the waiter would
        // never sleep before they are done.
        if IS_MODEL || !self.yield_until_ended::<CALLABLE>(seen, patience) {
            self.sleep_until_ended::<CALLABLE>(seen);
        }
        if !IS_MODEL && presence::is_noted() {
            presence::note(Sight::Stays);
        }
    }

    /// Yields and polls until the wait or the patience is over, or until yields do not pay. Returns
    /// whether the wait is over.
    fn yield_until_ended<const CALLABLE: bool>(&self, seen: Epoch, patience: Patience) -> bool {
        let began = monotonic_ns();
        let awake = patience.nanoseconds_now();
        let may_sleep = patience.may_sleep(awake);
        if may_sleep && !yields::pay_at(began) {
            if presence::is_noted() {
                presence::note_at(began, Sight::Leaves);
            }
            return false;
        }
        let deadline = began.saturating_add(awake);
        let mut last = Yield::now(began);
        // Written only when it changes, since the line is the releaser's too.
        let shares_processor = last.took() >= SWITCH_NS && self.is_past(seen);
        if self.shares_processor.load(Relaxed) != shares_processor {
            self.shares_processor.store(shares_processor, Relaxed);
        }
        loop {
            for _ in 0..LEAST_YIELDS {
                if self.is_ended::<CALLABLE>(seen) {
                    last.note_end_of_wait(|| Moment(self.ended.load(Relaxed)).until(last.ended));
                    return true;
                }
                if may_sleep && last.is_long() {
                    return false;
                }
                // Where every thread has a processor, the yield found no other thread to run: poll
                // for longer than the system call lasts.
                for _ in 0..patience.spins.min(SPINS_PER_YIELD) {
                    if self.is_ended::<CALLABLE>(seen) {
                        return true;
                    }
                    pause();
                }
                last = Yield::now(last.ended);
            }
            if last.ended >= deadline {
                return self.is_ended::<CALLABLE>(seen);
            }
        }
    }

    fn sleep_until_ended<const CALLABLE: bool>(&self, seen: Epoch) {
        while !self.is_ended::<CALLABLE>(seen) {
            // Relaxed: the mark publishes nothing; the loop's condition acquires.
            let word = self.word.load(Relaxed);
            if word & EPOCH != seen.0 || CALLABLE && word & CALLED != 0 {
                continue;
            }
            let asleep = word | SLEEPERS;
            if word == asleep || self.word.compare_exchange(word, asleep, Relaxed, Relaxed).is_ok()
            {
                sleep_on(&self.word, asleep);
            }
        }
    }
}

/// A yield that lasts longer has let another thread run; a yield that finds no other thread to run
/// takes 200 to 300 ns (`machine_yield`).
const SWITCH_NS: u64 = 1_000;
/// The number of short yields that come before a sleep, however short the block time: together they
/// take less time than the sleep and its wake-up (`machine_yield`, `machine_wake`).
const LEAST_YIELDS: u32 = 8;
/// About 1 µs of polling between two yields: a pause hint takes 10 to 15 ns (`machine_pause`).
const SPINS_PER_YIELD: u32 = 60;
