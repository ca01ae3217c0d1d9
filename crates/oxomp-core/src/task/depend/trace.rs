//! The events for dependences. These functions have no effect while no tool listens to such events.

use std::sync::Arc;

use crate::ompt::event::{DependenceRecord, emit};
use crate::task::state::depend::link::Node;
use crate::task::state::depend::source::Source;
use crate::task::state::depend::ties::{Building, Ties};
use crate::task::{Dependence, Properties, Task};

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
pub(in crate::task) fn enter(ties: &Building, task: &'static Task, node: &Node) {
    if emit::wants_task_dependence() {
        // SAFETY: only the thread of the generating task accesses the field until the task begins
        // or is discarded, which needs the wait that this thread has not yet subtracted
        // (`Building::forgo`).
        let source = unsafe { &mut *ties.source() };
        let source = source.get_or_insert_with(|| Arc::new(Source::new(&task.ompt)));
        let mut sources = node.sources.take().unwrap_or_default();
        sources.0.push(Arc::clone(source));
        node.sources.set(Some(sources));
    }
}

/// Reports the dependences of `task` on the members of the generation `node`, for which it waits.
#[inline(always)]
pub(in crate::task) fn wait(task: &Task, node: &Node) {
    if emit::wants_task_dependence() {
        let sources = node.sources.take();
        for source in sources.iter().flat_map(|sources| &sources.0) {
            source.observe(|source| emit::task_dependence(source, &task.ompt));
        }
        node.sources.set(sources);
    }
}

/// Called before a tool hears of the task's completion: from now on no dependence on the task is
/// reported.
#[inline(always)]
pub(in crate::task) fn before_completion(task: &Task) {
    if task.has(Properties::DEPENDENT) {
        // SAFETY: `tie` made the pointer from a box that is never freed. The task has begun or is
        // discarded, so its generating thread does not access the field any more, and the task is
        // not released yet, which takes the source.
        if let Some(source) = unsafe { &(*task.ties.get()).source } {
            source.complete();
        }
    }
}

/// Notes that the task with `ties` is complete.
#[inline(always)]
pub(in crate::task) fn leave(ties: &mut Ties) {
    if let Some(source) = ties.source.take() {
        source.complete();
    }
}
