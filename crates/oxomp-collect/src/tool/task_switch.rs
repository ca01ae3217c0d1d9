//! Changes between tasks of which none is only counted.

use std::sync::atomic::Ordering;

use ompt::{TaskSchedule, TaskStatus};
use oxomp_trace::info::EventClass;
use oxomp_trace::{EventKind, Record};

use super::collector::Collector;
use crate::log::record;
use crate::tasks::{self, End, Node, is_explicit};

impl Collector {
    /// The thread goes from the task of the data word `prior` to that of `next`; a word is 0 if
    /// there is no such task. Neither task is only counted.
    pub(super) fn switch_tasks(
        &self,
        event: &TaskSchedule<'_>,
        prior: u64,
        next: u64,
        completes: bool,
    ) {
        let end = completes.then_some(match event.status {
            TaskStatus::Detach => End::OfCode,
            _ => End::Whole,
        });
        let explicit = is_explicit(next);
        if !explicit && !is_explicit(prior) {
            return;
        }
        self.inner_event(EventClass::Tasks, |log, store, now| {
            if !is_explicit(prior) {
                log.end_task_under_way(store, now)?;
            }
            log.change_task(store, now, prior, next, end);
            // The word is reset, so that a second end, which some runtime may report, finds no
            // node. If the task waits for its detach event, the event's fulfilment has yet to find
            // the node.
            let awaits = Node::of_word(prior).is_some_and(Node::is_awaiting);
            let is_over = end.is_some() && is_explicit(prior) && !awaits;
            if let Some(word) = event.prior.filter(|_| is_over) {
                word.set(tasks::WITHOUT_NODE);
            }
            let code = Node::of_word(next).map_or(0, |node| node.code.load(Ordering::Relaxed));
            let switch = Record {
                code: if explicit { code } else { 0 },
                sub: event.status.raw().0 as u8,
                aux: u32::from(explicit),
                ..record(EventKind::TaskSwitch, now)
            };
            log.switch_task(store, switch, completes || !explicit)
        });
    }
}
