//! The mean times of tasks that are short, and a thread's turns among them.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::turns::{TASKS, Turns};

/// A thread tells the mean time of a construct's tasks whenever it has timed this number of them.
const TOLD_EACH: u64 = 128;
/// Constructs whose mean time is known.
const PLACES: usize = 64;
static MEANS: [MeanTime; PLACES] = [const { MeanTime::unknown() }; PLACES];

/// The mean time of a construct's tasks, as one thread found it. Two constructs with the same place
/// take it from each other in turns.
#[derive(Debug)]
pub(super) struct MeanTime {
    code: AtomicU64,
    /// Ticks; 0: tasks of the construct create tasks.
    ticks: AtomicU64,
}

impl MeanTime {
    const fn unknown() -> Self {
        Self { code: AtomicU64::new(0), ticks: AtomicU64::new(0) }
    }

    #[inline]
    fn of(code: u64) -> &'static Self {
        let mix = code.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &MEANS[(mix >> 32) as usize % PLACES]
    }

    /// The mean ticks of the construct's tasks, if these are short and create no tasks; 0
    /// otherwise, and if no mean time is known.
    #[inline]
    pub(super) fn of_short(code: u64) -> u64 {
        let mean = Self::of(code);
        if mean.code.load(Relaxed) != code {
            return 0;
        }
        let ticks = mean.ticks.load(Relaxed);
        if TASKS.are_long(1, ticks) { 0 } else { ticks }
    }

    /// Tells the mean ticks, unless it is known that the construct's tasks create others.
    #[cold]
    fn tell(code: u64, ticks: u64) {
        let mean = Self::of(code);
        if mean.code.load(Relaxed) != code || mean.ticks.load(Relaxed) != 0 {
            mean.ticks.store(ticks.max(1), Relaxed);
            mean.code.store(code, Relaxed);
        }
    }
}

/// A task of the construct at `code` has created one, or waits for its event when its code is over:
/// all of them are timed from now on.
#[inline]
pub(crate) fn time_all(code: u64) {
    let mean = MeanTime::of(code);
    if mean.code.load(Relaxed) != code || mean.ticks.load(Relaxed) != 0 {
        mean.ticks.store(0, Relaxed);
        mean.code.store(code, Relaxed);
    }
}

/// A thread's short tasks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortTasks {
    pub(super) turns: Turns,
    /// The mean ticks of a task that was only counted and that the thread's implicit task has
    /// created since it last waited; 0: none was.
    pub(super) created: u64,
}

impl ShortTasks {
    pub(crate) const NONE: Self = Self { turns: Turns::NEW, created: 0 };
}

/// Tells the mean time of the tasks of the construct at `code` now and then: `timed` tasks took
/// `ticks`.
#[inline]
pub(super) fn tell_mean_time(code: u64, timed: u64, ticks: u64) {
    if timed.is_multiple_of(TOLD_EACH) && timed > 0 {
        MeanTime::tell(code, ticks / timed);
    }
}

#[cfg(test)]
mod tests {
    use super::{MeanTime, time_all};
    use crate::turns;

    #[test]
    fn a_construct_whose_tasks_have_children_is_not_short() {
        turns::prepare(1_000_000_000);
        let (short, long, parent) = (0x1000, 0x2000, 0x3000);
        MeanTime::tell(short, 500);
        assert_eq!(MeanTime::of_short(short), 500);
        MeanTime::tell(long, 500_000);
        assert_eq!(MeanTime::of_short(long), 0);
        MeanTime::tell(parent, 500);
        time_all(parent);
        MeanTime::tell(parent, 500);
        assert_eq!(MeanTime::of_short(parent), 0);
    }
}
