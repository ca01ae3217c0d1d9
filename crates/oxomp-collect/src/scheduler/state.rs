//! A thread's use of processors, and the time in which it did not compute.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::mode::MODE;
use crate::usage::{self, Statistics};
use crate::visible::{InUserCode, Look};
use crate::{census, clock};

/// Parts of a second: a thread always looks at the end of a stretch that is longer, and its looks
/// at the begins of stretches are that far apart. A look takes a system call of 0.3 to 1 µs, and
/// two more where the thread has not computed all the time.
const LOOKS_PER_SECOND: u64 = 2000;
/// Parts of a second: no shorter stretch is looked at, even of a thread that blocks often.
const SHORTEST_PER_SECOND: u64 = 20_000;
/// The time that may pass between the last look and a stretch that is looked at, as a part of the
/// shortest stretch: what the thread did in this time is not known.
const UNKNOWN_PART: u64 = 8;
/// The number of ends of stretches, after one that blocked, at which the thread looks more closely:
/// it looks at the begins and ends of all stretches but the shortest.
pub(super) const WATCHED: u32 = 64;
/// A thread that did not compute for a shorter time than this, in ns, counts as computing all the
/// time: clocks are not more exact.
const LEAST_GAP_NS: u64 = 20_000;
/// So does a thread that did not compute for less than the time divided by this.
const LEAST_GAP_PART: u64 = 500;

/// Ticks of the shortest stretch that is always looked at.
static LONG_TICKS: AtomicU64 = AtomicU64::new(u64::MAX);
/// Ticks of the shortest stretch that is ever looked at.
static SHORTEST_TICKS: AtomicU64 = AtomicU64::new(u64::MAX);

/// Notes the rate of the ticks, before any thread looks.
pub(crate) fn prepare(ticks_per_second: u64) {
    LONG_TICKS.store(ticks_per_second / LOOKS_PER_SECOND, Ordering::Relaxed);
    SHORTEST_TICKS.store(ticks_per_second / SHORTEST_PER_SECOND, Ordering::Relaxed);
}

/// A thread's use of processors up to its last look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Looked {
    pub(super) tick: u64,
    /// Processor time, ns.
    used: u64,
    /// Time ready without a processor, ns.
    delay: u64,
    involuntary: u64,
    voluntary: u64,
    /// The ticks of all pauses until then.
    paused: u64,
    statistics: Statistics,
    /// When the present stretch of user code began; 0: none.
    pub(super) since: u64,
    /// Ticks of the waits in the stretch that have a class of their own, and the begin of such a
    /// wait.
    pub(super) waits: u64,
    asked: u64,
    /// The code address of the region that the thread ended last; 0: none.
    pub(super) after: u64,
    /// Ends at which the thread still looks more closely.
    pub(super) watched: u32,
    /// How many stretches have begun, of the first ones.
    pub(super) begun: u32,
}

/// The time between two looks in which a thread did not compute, ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Gap {
    /// Ready without a processor.
    pub(super) taken: u64,
    /// The part of that time which began when another thread preempted this one.
    preempted: u64,
    /// Neither ready nor computing.
    pub(super) blocked: u64,
    /// Whether `taken` is a guess, since the system did not tell it.
    pub(super) guessed: bool,
}

/// What the system counted of a thread between two looks; times in ns.
#[derive(Debug, Clone, Copy)]
struct Counted {
    /// Without a processor, ready or not.
    gap: u64,
    /// Ready without a processor; `None` if the system does not tell.
    delay: Option<u64>,
    involuntary: u64,
    voluntary: u64,
}

/// The number of a thread's first stretches that begin with a look at its alternate signal stack:
/// programs install one early. After these, only longer stretches begin with it.
pub(super) const FIRST: u32 = 100;

impl Counted {
    /// The parts of the gap, ns: taken by the scheduler, and blocked.
    fn parts(self) -> (u64, u64) {
        let Self { gap, delay, involuntary, voluntary } = self;
        let taken = match delay {
            // A thread that never gave its processor away did not block: an interrupt, or the host
            // of a virtual machine, had the processor.
            _ if voluntary == 0 => gap,
            Some(delay) => delay.min(gap),
            None => gap / (involuntary + voluntary) * involuntary,
        };
        (taken, gap - taken)
    }
}

impl Gap {
    /// How much of the time without a processor was the user code's own, in a stretch of `length`
    /// in which waits of a class of their own took `waits`, and that began `before` after the last
    /// look.
    ///
    /// A thread that sleeps in a wait waits for a processor when it is woken, and this is part of
    /// the wait. So the code's own part is at least the time that the waits do not explain; of the
    /// times after another thread took the processor, it has its share by time.
    pub(super) fn taken_in_code(self, length: u64, before: u64, waits: u64) -> u64 {
        if waits == 0 {
            return self.taken.min(length);
        }
        let code = length.saturating_sub(waits);
        let unexplained = (self.taken + self.blocked).saturating_sub(before.saturating_add(waits));
        let share = u128::from(self.preempted) * u128::from(code) / u128::from(length.max(1));
        unexplained.max(share as u64).min(self.taken).min(code)
    }
}

impl Looked {
    pub(crate) const NEVER: Self = Self {
        tick: 0,
        used: 0,
        delay: 0,
        involuntary: 0,
        voluntary: 0,
        paused: 0,
        statistics: Statistics::Unopened,
        since: 0,
        waits: 0,
        asked: 0,
        after: 0,
        watched: 0,
        begun: 0,
    };

    /// Looks at `now`; returns how long the thread has not computed since the last look.
    pub(super) fn look(&mut self, now: u64) -> Gap {
        let used = usage::processor_time();
        let is_first = self.tick == 0;
        let passed = clock::nanoseconds_of(now.saturating_sub(self.tick));
        let gap = passed.saturating_sub(used.saturating_sub(self.used));
        (self.tick, self.used) = (now, used);
        if !is_first && gap < LEAST_GAP_NS.max(passed / LEAST_GAP_PART) {
            return Gap::default();
        }
        let before = *self;
        let delay = self.statistics.run_delay(used);
        (self.involuntary, self.voluntary) = usage::switches();
        self.delay = delay.unwrap_or(0);
        self.paused = MODE.paused_until(now);
        if is_first {
            return Gap::default();
        }
        let counted = Counted {
            gap,
            delay: delay.map(|delay| delay.saturating_sub(before.delay)),
            involuntary: self.involuntary.saturating_sub(before.involuntary),
            voluntary: self.voluntary.saturating_sub(before.voluntary),
        };
        let (taken, blocked) = counted.parts();
        let paused = self.paused.saturating_sub(before.paused);
        let Counted { involuntary, voluntary, .. } = counted;
        let switches = (involuntary + voluntary).max(1);
        let preempted = if voluntary == 0 { taken } else { taken / switches * involuntary };
        Gap {
            taken: clock::ticks_of(taken),
            preempted: clock::ticks_of(preempted),
            blocked: clock::ticks_of(blocked).saturating_sub(paused),
            guessed: delay.is_none(),
        }
    }

    /// Whether the begin of a stretch at tick `now` is worth a look.
    #[inline]
    pub(super) fn is_due(&self, now: u64) -> bool {
        let ago = now.saturating_sub(self.tick);
        is_long(ago)
            || self.watched > 0 && ago > SHORTEST_TICKS.load(Ordering::Relaxed) / UNKNOWN_PART
    }

    /// Whether the end of a stretch of `length` ticks is worth a look.
    #[inline]
    pub(super) fn is_worth_a_look(&self, length: u64) -> bool {
        // A stretch that has begun with a look is one of the few that stand for the others: if it
        // blocked, they are looked at, too.
        is_long(length)
            || (self.watched > 0 || self.tick == self.since)
                && length > SHORTEST_TICKS.load(Ordering::Relaxed)
    }

    /// The thread waits from `now` on for something that has a class of its own.
    #[inline]
    pub(crate) fn begin_wait(&mut self, now: u64) {
        self.asked = now;
    }

    /// A wait that has a class of its own ends.
    #[inline]
    pub(crate) fn end_wait(&mut self, now: u64, weight: u64) {
        let asked = std::mem::take(&mut self.asked);
        if asked >= self.since {
            self.waits += now.saturating_sub(asked) * weight;
        }
    }

    /// The last look.
    pub(super) fn last(&self) -> Look {
        Look { tick: self.tick, used: self.used, delay: self.delay }
    }

    /// The calling thread, whose looks these are, ends.
    pub(crate) fn close(&mut self) {
        self.statistics.close(usage::processor_time());
    }

    /// The thread `tid`, whose looks these are, goes on without the collector.
    pub(crate) fn close_of(&mut self, tid: u32) {
        self.statistics.close(usage::processor_time_of(tid));
    }
}

/// How long a thread in user code has not computed in its present stretch up to tick `now`, as
/// another thread sees it: the ticks in which it was ready without a processor, and those in which
/// it was blocked. The rest counts as work; with `None` all does.
pub(crate) fn not_computed(thread: &InUserCode, now: u64) -> Option<(u64, u64)> {
    let Look { tick, used, delay } = thread.look;
    let (used_now, delay_now) =
        (usage::processor_time_of(thread.tid), census::waited_by(thread.tid)?);
    if tick == 0 || used_now < used {
        return None;
    }
    let passed = now.saturating_sub(tick);
    let gap = passed.saturating_sub(clock::ticks_of(used_now - used));
    if gap < clock::ticks_of(LEAST_GAP_NS).max(passed / LEAST_GAP_PART) {
        return None;
    }
    let length = now.saturating_sub(thread.since);
    let before = thread.since.saturating_sub(tick);
    let taken = clock::ticks_of(delay_now.saturating_sub(delay)).min(gap);
    let blocked = (gap - taken).saturating_sub(before).min(length);
    Some((taken.min(length - blocked), blocked))
}

/// Whether a stretch of `ticks` ticks is always worth a look.
#[inline]
pub(crate) fn is_long(ticks: u64) -> bool {
    ticks > LONG_TICKS.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::{Counted, Gap};

    fn parts(delay: Option<u64>, involuntary: u64, voluntary: u64) -> (u64, u64) {
        Counted { gap: 100, delay, involuntary, voluntary }.parts()
    }

    #[test]
    fn a_thread_blocks_only_if_it_gives_its_processor_away() {
        assert_eq!(parts(Some(30), 2, 1), (30, 70));
        assert_eq!(parts(Some(0), 0, 1), (0, 100));
        assert_eq!(parts(Some(130), 0, 1), (100, 0));
        // The host of a virtual machine took the rest.
        assert_eq!(parts(Some(30), 2, 0), (100, 0));
        // A guess by the numbers of switches.
        assert_eq!(parts(None, 1, 3), (25, 75));
        assert_eq!(parts(None, 3, 0), (100, 0));
    }

    /// Of a stretch of 100 with such waits.
    fn in_code((taken, preempted, blocked): (u64, u64, u64), waits: u64) -> u64 {
        let gap = Gap { taken, preempted, blocked, guessed: false };
        gap.taken_in_code(100, 5, waits)
    }

    #[test]
    fn a_thread_that_is_woken_late_has_that_time_in_its_wait() {
        assert_eq!(in_code((30, 30, 0), 0), 30, "there are no waits");
        assert_eq!(in_code((30, 0, 0), 0), 30, "it blocked in user code");
        assert_eq!(in_code((130, 0, 0), 0), 100);
        assert_eq!(in_code((40, 0, 40), 80), 0, "it slept in its waits");
        assert_eq!(in_code((40, 0, 60), 80), 15, "the waits explain 85");
        assert_eq!(in_code((40, 40, 0), 75), 10, "it was awake in its waits");
        assert_eq!(in_code((40, 20, 20), 75), 5);
        assert_eq!(in_code((90, 0, 90), 60), 40, "no more than the code takes");
        assert_eq!(in_code((40, 40, 0), 200), 0, "an estimate of waits may be too long");
    }
}
