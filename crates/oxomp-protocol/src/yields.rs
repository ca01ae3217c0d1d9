//! Whether yields pay: what they save over sleeps, and what they lose to other computing threads.
//!
//! A yield lets any ready thread run. If that is the thread that is waited for, or one on the way
//! to it, the yield saves a sleep and a wake-up. If it is a thread that only computes (of another
//! process, or one of this process that polls without a system call), the yielding thread gets its
//! processor back a time slice later, while a thread that sleeps preempts it as soon as it is
//! woken. The kernel does not say which thread ran, but the threads of the runtime note where they
//! are (`presence`), and what they did not use after the end of the wait is lost. So the waiting
//! threads of the process keep an account of both cases, and sleep for a while when the losses
//! exceed the savings. README.md of `barrier` has the argument.

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::kernel::monotonic_ns;
use crate::line::Line;
use crate::presence::{self, Last, Sight};
use crate::shim::yield_now;

/// A yield: when it began and ended, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yield {
    began: u64,
    pub(crate) ended: u64,
    /// Whether threads noted where they are when it began.
    is_noted: bool,
}

impl Yield {
    /// Yields; `began` is the time, or that of the end of a poll of a microsecond before.
    pub(crate) fn now(began: u64) -> Self {
        let is_noted = presence::is_noted();
        if is_noted {
            presence::note_at(began, Sight::Leaves);
        }
        yield_now();
        Yield { began, ended: monotonic_ns(), is_noted }
    }

    /// How long the yield lasted.
    pub(crate) fn took(self) -> u64 {
        self.ended - self.began
    }

    /// Whether the yield lasted so long that a sleep and its wake-up cost little beside it.
    pub(crate) fn is_long(self) -> bool {
        self.took() >= LONG_NS
    }

    /// Notes that the wait was over after this yield, as another thread had ended it meanwhile.
    /// `since_end` tells how long before the end of a long yield that was, in nanoseconds.
    pub(crate) fn note_end_of_wait(self, since_end: impl FnOnce() -> u64) {
        if self.is_long() {
            // What was not noted from the beginning is not known.
            if self.is_noted {
                self.note_loss(self.lost(since_end(), presence::last_since(self.began)));
            }
            presence::note_for_a_second(self.ended);
        } else if self.is_sample() && BALANCE.0.load(Relaxed) < MOST_NS {
            BALANCE.0.fetch_add(SAVED_NS * SAMPLE.cast_signed(), Relaxed);
        }
    }

    /// How much of the yield was lost, in nanoseconds, if the wait ended `since_end` before the
    /// yield did, and `last` was the last thread seen on the processor meanwhile: the time in which
    /// the wait was over, and no thread of the runtime had the processor. All of the yield at most,
    /// whatever `since_end` is.
    fn lost(self, since_end: u64, last: Last) -> u64 {
        let unseen = match last {
            Last::Nobody => self.took(),
            Last::LeftAt(at) => self.ended.saturating_sub(at),
            Last::Stayed => 0,
        };
        unseen.min(since_end).min(self.took())
    }

    /// Whether the yield is one of those whose savings are counted. By all bits of the time: the
    /// clock of a machine may count in steps of some ten nanoseconds, so that the lowest bits take
    /// few values.
    fn is_sample(self) -> bool {
        self.ended.wrapping_mul(MIX) < u64::MAX / SAMPLE
    }

    #[cold]
    fn note_loss(self, lost: u64) {
        let lost = lost.cast_signed();
        if BALANCE.0.fetch_sub(lost, Relaxed) <= lost {
            BALANCE.0.store(TRIAL_NS, Relaxed);
            SLEEP_UNTIL.0.store(self.ended.saturating_add(SLEEPING_NS), Relaxed);
        }
    }
}

/// A moment in steps of 16 µs, of which the lower bits are kept: a second of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(pub(crate) u16);

impl Moment {
    /// The moment of `nanoseconds`.
    pub(crate) fn of(nanoseconds: u64) -> Self {
        Moment((nanoseconds >> MOMENT_BITS) as u16)
    }

    /// The nanoseconds from this moment to `end`, which is less than a second later. An `end` in a
    /// step before this moment's gives about a second.
    pub(crate) fn until(self, end: u64) -> u64 {
        u64::from(Self::of(end).0.wrapping_sub(self.0)) << MOMENT_BITS
    }
}

/// 2¹⁴ ns are a step.
const MOMENT_BITS: u32 = 14;

/// Whether a waiting thread should yield at the time `now`, rather than sleep.
pub(crate) fn pay_at(now: u64) -> bool {
    now >= SLEEP_UNTIL.0.load(Relaxed)
}

/// Until when threads that may sleep do not yield.
static SLEEP_UNTIL: Line<AtomicU64> = Line(AtomicU64::new(0));

/// What the yields have saved and not lost again, in nanoseconds.
static BALANCE: Line<AtomicI64> = Line(AtomicI64::new(TRIAL_NS));

/// A longer yield has let another thread compute for a good part of a time slice, of 1 to 4 ms.
const LONG_NS: u64 = 500_000;
/// What a yield saves that ends a wait: a sleep and its wake-up take 16 µs (`machine_wake`), and a
/// switch to the other thread and back takes 2 to 4 µs (`barrier`, `crowded` rows).
const SAVED_NS: i64 = 12_000;
/// The savings of one yield in this number are counted, by chance, for all of them: the threads of
/// a crowded team would take the line of the balance from each other at every wait.
const SAMPLE: u64 = 16;
/// 2⁶⁴ divided by the golden ratio: products with steps of any length are spread evenly.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
/// What may be lost before the threads sleep: some slices, each lost by several threads at once.
/// Without it the first loss after a time of sleeping would begin the next (`barrier` with 8
/// threads on 2 processors beside computing processes).
const TRIAL_NS: i64 = 20_000_000;
/// What is saved at most for later losses.
const MOST_NS: i64 = 100_000_000;
/// How long threads sleep at once when yields have lost: a trial lasts about a tenth of it.
const SLEEPING_NS: u64 = 256_000_000;

#[cfg(test)]
mod tests {
    use super::{Moment, SAMPLE, Yield};
    use crate::presence::Last;

    #[test]
    fn a_yield_loses_what_no_thread_of_the_runtime_used_after_the_end_of_the_wait() {
        let this = Yield { began: 1_000, ended: 9_000, is_noted: true };
        for (since_end, last, lost) in [
            (3_000, Last::Nobody, 3_000),
            (3_000, Last::LeftAt(4_000), 3_000),
            (3_000, Last::LeftAt(7_000), 2_000),
            (3_000, Last::Stayed, 0),
            // An end that nobody noted: the moment of an earlier one, or of none.
            (700_000, Last::Nobody, 8_000),
            // Another thread's note that came after this one looked at the clock.
            (3_000, Last::LeftAt(9_001), 0),
        ] {
            assert_eq!(this.lost(since_end, last), lost, "{since_end} ns, {last:?}");
        }
    }

    #[test]
    fn a_moment_knows_the_time_since_for_a_second() {
        for (then, end) in [(0, 0), (1 << 30, (1 << 30) + 5_000_000), (7, 900_000_000)] {
            let since = Moment::of(then).until(end);
            assert!(since.abs_diff(end - then) <= 1 << 14, "{since} ns from {then} to {end}");
        }
    }

    #[test]
    fn one_yield_in_so_many_is_a_sample_on_every_clock() {
        // Nanoseconds that a clock of 1 GHz, 25 MHz, 24 MHz, 19.2 MHz, and 1 MHz can tell.
        for ticks_per_millisecond in [1_000_000, 25_000, 24_000, 19_200, 1000] {
            let yields = (1..1_000_000_u64).map(|wait| {
                // Waits of about 10 µs.
                let ticks = (wait * 10_007 + wait * wait % 997) * ticks_per_millisecond / 1_000_000;
                let ended = ticks * 1_000_000 / ticks_per_millisecond;
                Yield { began: 0, ended, is_noted: false }
            });
            let found = yields.filter(|one| one.is_sample()).count() as f64;
            let expected = 1e6 / SAMPLE as f64;
            let off = (found / expected - 1.0).abs();
            assert!(off < 0.05, "{found} instead of {expected} at {ticks_per_millisecond} kHz");
        }
    }
}
