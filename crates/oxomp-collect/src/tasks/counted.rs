//! Short tasks that are only counted.
//!
//! Timing a task takes as long as a short task. So a thread that creates many short tasks of one
//! construct has some of them timed, in turns ([`crate::turns`]). The data word of the others holds
//! the construct instead of a node, and threads only count their ends. A counted task is taken to
//! have run as long as the timed ones did on average.
//!
//! The length of a chain depends on all its tasks, so only tasks at the end of chains are counted:
//! an implicit task creates them, without dependences, and they create no tasks.

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
        // The first task that an implicit task creates is timed: its creation gives the implicit
        // task a node.
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

    /// The chain that ends with a counted task of the implicit task, whose own path is `path` now;
    /// 0 if the implicit task has created no counted task.
    #[inline]
    pub(super) fn take_counted_chain(&mut self, path: u64) -> u64 {
        match std::mem::take(&mut self.short_tasks.created) {
            0 => 0,
            ticks => path + ticks,
        }
    }

    /// The thread goes to the task of the data word `next`. With `ended`, it comes from a counted
    /// task of the construct at `ended`, which has ended; with `None`, it comes from any other
    /// task, and `next` is a counted one.
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
        // The time up to the next task is not a time between two timed tasks.
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
