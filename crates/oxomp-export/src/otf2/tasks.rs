//! Explicit tasks: the names that OTF2 gives them, and regions around what threads did in them.
//!
//! A recording tells when a thread began, suspended, resumed and left a task, but neither who
//! created it and when, nor which stretches of different threads are those of one task. So each
//! stretch is a task here. A thread that executes another task while it waits in one comes back to
//! it: that is one stretch. Only a task without a thread of its own (`untied`) is in several.

use std::collections::HashMap;

use oxomp_analysis::model::Model;

use crate::timeline::{Kind, Slice};

/// The name of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TaskName {
    /// The number of the team's communicator.
    pub(super) team: u32,
    /// The position in the team of the thread that counts as its creator: the one that executed it.
    pub(super) thread: u32,
    /// The number of the task among those of that thread, from 1; 0 is the implicit task.
    pub(super) number: u32,
}

impl TaskName {
    /// The implicit task of a thread of a team.
    pub(super) fn implicit(team: u32, thread: u32) -> Self {
        Self { team, thread, number: 0 }
    }
}

/// How many names there are of the tasks of each thread of each team.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<(u32, u32), u32>);

impl Names {
    /// A name that no other task has.
    pub(super) fn next(&mut self, team: u32, thread: u32) -> TaskName {
        let count = self.0.entry((team, thread)).or_default();
        *count = count.saturating_add(1);
        TaskName { team, thread, number: *count }
    }
}

/// The part of a stretch of a task that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    task: u32,
    begin: u64,
    end: u64,
    /// Number of slices around it, without those of other tasks.
    depth: u32,
}

/// The slices of a thread with one for each stretch of a task, around everything in it, in place of
/// the pieces of the task.
pub(super) fn around_tasks(slices: &[Slice], model: &Model, window: (u64, u64)) -> Vec<Slice> {
    let mut stretches = stretches(slices, model, window).into_iter().peekable();
    if stretches.peek().is_none() {
        return slices.to_vec();
    }
    let mut nested = Nested::default();
    for slice in slices {
        let is_around = |one: &Stretch| (one.begin, one.depth) <= (slice.begin, slice.depth);
        while let Some(stretch) = stretches.next_if(is_around) {
            nested.enter(stretch);
        }
        if !matches!(slice.kind, Kind::Task(_)) {
            nested.add(*slice);
        }
    }
    nested.slices
}

/// The stretches of which there is a piece, in the order of their begins.
fn stretches(slices: &[Slice], model: &Model, window: (u64, u64)) -> Vec<Stretch> {
    let mut found: HashMap<u32, Stretch> = HashMap::new();
    for slice in slices {
        let Kind::Task(task) = slice.kind else { continue };
        let facts = model.tasks[task as usize];
        let (begin, end) = (facts.begin.max(window.0), facts.end.min(window.1));
        let new = Stretch { task, begin: begin.min(slice.begin), end, depth: slice.depth };
        let stretch = found.entry(task).or_insert(new);
        stretch.end = stretch.end.max(slice.end);
        // The task may be in a construct at its begin, and out of it at its end.
        stretch.depth = stretch.depth.min(slice.depth);
    }
    let mut found: Vec<Stretch> = found.into_values().collect();
    // A thread's tasks are in the order in which it began them.
    found.sort_unstable_by_key(|stretch| stretch.task);
    found
}

/// Slices inside tasks, so far.
#[derive(Debug, Default)]
struct Nested {
    slices: Vec<Slice>,
    /// The tasks that the thread is in, with the positions of their slices.
    open: Vec<(Stretch, usize)>,
}

impl Nested {
    fn enter(&mut self, stretch: Stretch) {
        let Stretch { task, begin, end, depth } = stretch;
        self.leave(begin, depth);
        let end = self.open.last().map_or(end, |(around, _)| end.min(around.end));
        self.open.push((Stretch { end, ..stretch }, self.slices.len()));
        let depth = depth + self.open.len() as u32 - 1;
        self.slices.push(Slice { begin, end, depth, kind: Kind::Task(task) });
    }

    fn add(&mut self, slice: Slice) {
        self.leave(slice.begin, slice.depth);
        let depth = slice.depth + self.open.len() as u32;
        self.slices.push(Slice { depth, ..slice });
    }

    /// Leaves the tasks that are over at `time`, and those in which nothing of that `depth` is.
    fn leave(&mut self, time: u64, depth: u32) {
        while let Some((last, position)) =
            self.open.pop_if(|(last, _)| last.end <= time || depth < last.depth)
        {
            self.slices[position].end = last.end.min(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, TaskName, around_tasks};
    use crate::timeline::{Kind, Slice};
    use oxomp_analysis::model::{Model, Task};
    use oxomp_analysis::summary::Class;

    const REGION: Kind = Kind::Region { region: 0, member: Some(0) };
    const TASKWAIT: Kind = Kind::Wait { class: Class::Taskwait, code: None, mutex: None };

    fn model(tasks: &[(u64, u64)]) -> Model {
        let task = |&(begin, end)| Task { member: 0, code: 7, begin, end, is_over: true };
        Model { tasks: tasks.iter().map(task).collect(), ..Model::default() }
    }

    fn slice((begin, end): (u64, u64), depth: u32, kind: Kind) -> Slice {
        Slice { begin, end, depth, kind }
    }

    /// A task that waits for another one, which the thread executes meanwhile.
    fn nested() -> ([Slice; 6], Model) {
        let slices = [
            slice((0, 100), 0, REGION),
            slice((10, 20), 1, Kind::Task(0)),
            slice((20, 30), 1, TASKWAIT),
            slice((30, 60), 1, Kind::Task(1)),
            slice((60, 70), 1, TASKWAIT),
            slice((70, 80), 1, Kind::Task(0)),
        ];
        (slices, model(&[(10, 80), (30, 60)]))
    }

    #[test]
    fn a_task_is_around_its_waits_and_the_tasks_executed_in_them() {
        let (slices, model) = nested();
        let expected = [
            slice((0, 100), 0, REGION),
            slice((10, 80), 1, Kind::Task(0)),
            slice((20, 30), 2, TASKWAIT),
            slice((30, 60), 2, Kind::Task(1)),
            slice((60, 70), 2, TASKWAIT),
        ];
        assert_eq!(around_tasks(&slices, &model, (0, u64::MAX)), expected);
        assert_eq!(around_tasks(&slices[..1], &model, (0, u64::MAX)), slices[..1]);
    }

    #[test]
    fn a_task_is_cut_to_the_window() {
        let (slices, model) = nested();
        let [_, _, wait, other, ..] = slices;
        let part = [slice((25, 50), 0, REGION), Slice { begin: 25, ..wait }, other];
        let part = [part[0], part[1], Slice { end: 50, ..part[2] }];
        // No piece of the outer task is there.
        let expected = [part[0], part[1], part[2]];
        assert_eq!(around_tasks(&part, &model, (25, 50)), expected);
        let part = [slice((15, 50), 0, REGION), slice((15, 20), 1, Kind::Task(0)), wait];
        let expected = [
            slice((15, 50), 0, REGION),
            slice((15, 50), 1, Kind::Task(0)),
            slice((20, 30), 2, TASKWAIT),
        ];
        assert_eq!(around_tasks(&part, &model, (15, 50)), expected);
    }

    #[test]
    fn a_task_has_a_region_and_a_construct_inside_it() {
        let inner = Kind::Region { region: 1, member: None };
        let slices = [
            slice((0, 100), 0, REGION),
            slice((10, 50), 1, Kind::Work(0)),
            slice((10, 20), 2, Kind::Task(0)),
            slice((20, 40), 2, inner),
            slice((25, 30), 3, Kind::Task(1)),
            slice((50, 60), 1, Kind::Task(0)),
            slice((60, 70), 1, TASKWAIT),
        ];
        let expected = [
            slice((0, 100), 0, REGION),
            slice((10, 60), 1, Kind::Task(0)),
            slice((10, 50), 2, Kind::Work(0)),
            slice((20, 40), 3, inner),
            slice((25, 30), 4, Kind::Task(1)),
            slice((60, 70), 1, TASKWAIT),
        ];
        let model = model(&[(10, 60), (25, 30)]);
        assert_eq!(around_tasks(&slices, &model, (0, u64::MAX)), expected);
    }

    #[test]
    fn each_task_of_a_thread_has_a_number_of_its_own() {
        let mut names = Names::default();
        let of = |names: &mut Names, team, thread| names.next(team, thread).number;
        let numbers = [of(&mut names, 0, 0), of(&mut names, 0, 0), of(&mut names, 0, 1)];
        assert_eq!((numbers, of(&mut names, 1, 0)), ([1, 2, 1], 1));
        assert_eq!(TaskName::implicit(3, 2).number, 0);
    }
}
