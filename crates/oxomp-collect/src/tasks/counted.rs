//! Short tasks that are only counted.
//!
//! Timing a task takes as long as a short task. So a thread that creates many short tasks of one
//! construct has some of them timed, in turns ([`crate::turns`]), and of the others only counts
//! those that end: their data word holds the construct instead of a node. A counted task is taken
//! to have run as long as the timed ones did on average.
//!
//! Chains of tasks need all their tasks, so this is for those at the end of chains only: tasks that
//! an implicit task creates, without dependences, and that create none.

use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::FoldKind;
use oxomp_trace::fold::{counts, tasks};

use super::{Node, PART_OF_TASK, WITHOUT_NODE};
use crate::log::Log;
use crate::store::{Exhausted, Store};
use crate::turns::{TASKS, Turns};

/// A thread tells the mean time of a construct's tasks whenever it has timed so many.
const TOLD_EACH: u64 = 128;
/// Constructs whose mean time is known.
const PLACES: usize = 64;
const RELAXED: Ordering = Ordering::Relaxed;
static MEANS: [MeanTime; PLACES] = [const { MeanTime::unknown() }; PLACES];

/// The mean time of a construct's tasks, as one thread found it. Two constructs with the same place
/// take it from each other, and are known in turns.
#[derive(Debug)]
struct MeanTime {
    code: AtomicU64,
    /// Ticks; 0: its tasks create tasks.
    ticks: AtomicU64,
}

/// The data word of a task of the construct at `code` that is only counted.
pub(super) fn word_of(code: u64) -> u64 {
    code << 1 | WITHOUT_NODE
}

/// The construct of a task that is only counted, by its data word.
#[inline]
pub(super) fn code_of(word: u64) -> Option<u64> {
    (word & WITHOUT_NODE != 0 && word > PART_OF_TASK).then_some(word >> 1)
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

    /// The mean ticks of tasks that are short and create none; 0: they are not, or nothing is
    /// mean.
    #[inline]
    fn of_short(code: u64) -> u64 {
        let mean = Self::of(code);
        if mean.code.load(RELAXED) != code {
            return 0;
        }
        let ticks = mean.ticks.load(RELAXED);
        if TASKS.are_long(1, ticks) { 0 } else { ticks }
    }

    /// Tells the mean ticks, unless it is known that the construct's tasks create others.
    #[cold]
    fn tell(code: u64, ticks: u64) {
        let mean = Self::of(code);
        if mean.code.load(RELAXED) != code || mean.ticks.load(RELAXED) != 0 {
            mean.ticks.store(ticks.max(1), RELAXED);
            mean.code.store(code, RELAXED);
        }
    }
}

/// A task of the construct at `code` has created one, or waits for its event when its code is over:
/// all of them are timed from now on.
#[inline]
pub(crate) fn time_all(code: u64) {
    let mean = MeanTime::of(code);
    if mean.code.load(RELAXED) != code || mean.ticks.load(RELAXED) != 0 {
        mean.ticks.store(0, RELAXED);
        mean.code.store(code, RELAXED);
    }
}

/// A thread's short tasks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortTasks {
    turns: Turns,
    /// The mean ticks of a task that was only counted and that the thread's implicit task has
    /// created since it last waited; 0: none was.
    created: u64,
}

impl ShortTasks {
    pub(crate) const NONE: Self = Self { turns: Turns::NEW, created: 0 };
}

impl Log {
    /// Whether a task without dependences of the construct at `code`, which the task of the data
    /// word `encountering` creates, is only counted. `clock` is read now and then.
    #[inline]
    pub(crate) fn counts_task(
        &mut self,
        code: u64,
        encountering: u64,
        clock: impl FnOnce() -> u64,
    ) -> bool {
        let ticks = MeanTime::of_short(code);
        if ticks == 0 || self.records_events() || self.context.regions.depth() != 1 {
            return false;
        }
        // The first of an implicit task is timed: it gives the implicit task a node.
        if Node::of_word(encountering).is_none_or(Node::is_explicit) {
            return false;
        }
        if self.short_tasks.turns.is_timed(&TASKS, clock) {
            return false;
        }
        self.short_tasks.created = ticks;
        self.creations.at = 0;
        self.count_known(counts::TASKS_CREATED);
        true
    }

    /// The chain of the task that was only counted and that the implicit task, whose path is `path`
    /// now, has created; 0: none was.
    #[inline]
    pub(super) fn take_counted_chain(&mut self, path: u64) -> u64 {
        match std::mem::take(&mut self.short_tasks.created) {
            0 => 0,
            ticks => path + ticks,
        }
    }

    /// The thread goes to the task of the data word `next` from one of the construct at `ended`
    /// that is only counted and has ended, or from any other one (`None`) to one that is.
    #[inline]
    pub(crate) fn change_counted(
        &mut self,
        store: &Store,
        ended: Option<u64>,
        next: u64,
    ) -> Result<(), Exhausted> {
        self.creations.at = 0;
        self.running = Node::of_word(next);
        let Some(code) = ended else { return Ok(()) };
        // What follows is not the time between two tasks that are timed.
        self.task_ended = 0;
        self.count(store, counts::TASKS_ENDED);
        let (_, region) = self.region();
        if let Some(values) = self.beside(store, FoldKind::Tasks, 0, [code, region]) {
            values[tasks::COUNT] += 1;
            values[tasks::UNTIMED] += 1;
        }
        self.add_counted_task(store, MeanTime::of_short(code))
    }

    /// Tells the mean time of the tasks of the construct at `code` now and then: `timed` tasks took
    /// `ticks`.
    #[inline]
    pub(super) fn tell_mean_time(code: u64, timed: u64, ticks: u64) {
        if timed.is_multiple_of(TOLD_EACH) && timed > 0 {
            MeanTime::tell(code, ticks / timed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turns;

    #[test]
    fn a_data_word_holds_its_construct() {
        for code in [0x5555_1234_5678, 2, 3] {
            let word = word_of(code);
            assert_eq!(code_of(word), Some(code));
            assert!(Node::of_word(word).is_none());
            assert!(super::super::is_explicit(word));
        }
        assert_eq!([WITHOUT_NODE, PART_OF_TASK].map(code_of), [None; 2]);
        assert_eq!(code_of(0), None);
    }

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
