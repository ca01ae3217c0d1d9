//! Short tasks that are only counted.
//!
//! Timing a task takes as long as a short task. So a thread that creates many short tasks of one
//! construct has some of them timed, in turns ([`crate::turns`]), and of the others only counts
//! those that end: their data word holds the construct instead of a node. A counted task is taken
//! to have run as long as the timed ones did on average.
//!
//! Chains of tasks need all their tasks, so this is for those at the end of chains only: tasks that
//! an implicit task creates, without dependences, and that create none.

use oxomp_trace::FoldKind;
use oxomp_trace::fold::{counts, tasks};

use super::Node;
use super::short::MeanTime;
use crate::log::Log;
use crate::store::{Exhausted, Store};
use crate::turns::TASKS;

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
}
