//! The events for dependences. These functions have no effect while no tool listens to such events.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;

use crate::ompt::event::{DependenceRecord, emit};
use crate::task::state::depend::link::Node;
use crate::task::state::depend::source::Source;
use crate::task::state::depend::ties::{Building, Ties};
use crate::task::{Dependence, Task};
use crate::word::Word;

/// Reports the dependences of a new task.
#[inline(always)]
pub(in crate::task) fn report(task: &Task, dependences: &[Dependence]) {
    if emit::wants_dependences() && !dependences.is_empty() {
        let list: Vec<_> = dependences
            .iter()
            .map(|one| DependenceRecord {
                variable: one.location.addr() as u64,
                kind: one.kind.to_ompt().0,
            })
            .collect();
        emit::dependences(&task.ompt, &list);
    }
}

/// Notes that the task with `ties` is a member of the generation `node`.
#[inline(always)]
pub(in crate::task) fn enter(ties: &Building, task: &Task, node: &Node) {
    if emit::wants_task_dependence() {
        // SAFETY: only the thread of the generating task accesses the field until the task is
        // complete, which needs the wait that this thread has not yet subtracted
        // (`Building::forgo`).
        let source = unsafe { &mut *ties.source() }.get_or_insert_with(|| {
            let data = Word::<u64>::new(task.ompt.data.get());
            Arc::new(Source { data, is_complete: AtomicBool::new(false) })
        });
        let mut sources = node.sources.take();
        sources.push(Arc::clone(source));
        node.sources.set(sources);
    }
}

/// Reports the dependences of `task` on the members of the generation `node`, for which it waits.
#[inline(always)]
pub(in crate::task) fn wait(task: &Task, node: &Node) {
    if emit::wants_task_dependence() {
        let sources = node.sources.take();
        for source in &sources {
            // Relaxed: a hint that saves an event for a task that is complete already.
            if !source.is_complete.load(Relaxed) {
                emit::task_dependence(&source.data, &task.ompt);
            }
        }
        node.sources.set(sources);
    }
}

/// Notes that the task with `ties` is complete.
#[inline(always)]
pub(in crate::task) fn leave(ties: &mut Ties) {
    if let Some(source) = ties.source.take() {
        // Relaxed: `wait` reads it as a hint.
        source.is_complete.store(true, Relaxed);
    }
}
