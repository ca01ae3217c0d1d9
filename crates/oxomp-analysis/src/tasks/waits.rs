//! For which tasks the threads of a region wait: in taskwait, and where no task is ready.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::resolve::{Resolved, resolve, resolve_pieces};
use crate::summary::Class;
use crate::sums::raise;

/// A task or a wait begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    time: u64,
    /// The construct of a task; `None` for a wait.
    task: Option<u64>,
    begins: bool,
}

/// The time in which threads waited for tasks, or without a ready one, ns.
#[derive(Debug, Default)]
pub(crate) struct TaskWaits {
    /// By the code address of the region.
    regions: BTreeMap<u64, u64>,
    /// The time of waits while tasks of a construct ran, by the code addresses of the construct and
    /// of the region. Where several tasks ran, each has an equal part.
    constructs: BTreeMap<(u64, u64), u64>,
}

impl TaskWaits {
    /// The time in the region at `region`.
    pub(crate) fn in_region(&self, region: u64) -> u64 {
        self.regions.get(&region).copied().unwrap_or(0)
    }

    /// The time in the region at `region` while tasks of the construct at `code` ran.
    pub(crate) fn for_tasks(&self, code: u64, region: u64) -> u64 {
        self.constructs.get(&(code, region)).copied().unwrap_or(0)
    }
}

/// The classes of `model`, and its waits for tasks, in one pass.
pub(crate) fn resolve_with_waits(model: &Model) -> (Resolved, TaskWaits) {
    let mut found = TaskWaits::default();
    if model.tasks.is_empty() {
        return (resolve(model), found);
    }
    let mut changes = BTreeMap::<u32, Vec<Change>>::new();
    let resolved = resolve_pieces(model, &mut |_, piece| {
        let waits = matches!(piece.class, Class::Starved | Class::Taskwait);
        let task = piece.task.filter(|_| piece.class == Class::Useful);
        let Some(region) = piece.region.filter(|_| waits || task.is_some()) else { return };
        let task = task.map(|task| model.tasks[task as usize].code);
        if waits {
            let code = model.regions[region as usize].code;
            raise(found.regions.entry(code).or_default(), piece.end - piece.begin);
        }
        let change = |time, begins| Change { time, task, begins };
        let changes = changes.entry(region).or_default();
        changes.extend([change(piece.begin, true), change(piece.end, false)]);
    });
    for (region, mut changes) in changes {
        changes.sort_unstable();
        let region = model.regions[region as usize].code;
        for (code, time) in while_running(&changes) {
            *found.constructs.entry((code, region)).or_default() += time as u64;
        }
    }
    (resolved, found)
}

/// The waits of one region by construct of the tasks that ran meanwhile, ns.
fn while_running(changes: &[Change]) -> BTreeMap<u64, f64> {
    let mut found = BTreeMap::<u64, f64>::new();
    let mut running = BTreeMap::<u64, i64>::new();
    let (mut waiting, mut until) = (0_i64, 0);
    for change in changes {
        let tasks: i64 = running.values().sum();
        if waiting > 0 && tasks > 0 {
            let each = (change.time - until) as f64 * waiting as f64 / tasks as f64;
            for (&code, &count) in running.iter().filter(|(_, count)| **count > 0) {
                *found.entry(code).or_default() += each * count as f64;
            }
        }
        until = change.time;
        let step = if change.begins { 1 } else { -1 };
        match change.task {
            Some(code) => *running.entry(code).or_default() += step,
            None => waiting += step,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Change, while_running};

    #[test]
    fn a_wait_is_shared_by_the_tasks_that_run_meanwhile() {
        let pieces = [(Some(7), 0, 100), (Some(8), 40, 60), (None, 20, 110), (None, 90, 100)];
        let mut changes = Vec::new();
        for (task, begin, end) in pieces {
            changes.push(Change { time: begin, task, begins: true });
            changes.push(Change { time: end, task, begins: false });
        }
        changes.sort_unstable();
        // The first wait: 20 alone, 20 shared, 40 alone, then no task runs; the second one: 10.
        let expected = BTreeMap::from([(7, 20.0 + 10.0 + 40.0 + 10.0), (8, 10.0)]);
        assert_eq!(while_running(&changes), expected);
    }
}
