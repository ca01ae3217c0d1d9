//! The shared queue of a team, from which every thread takes tasks first: tasks with a priority,
//! tasks that became ready on a thread without a deque of the team, and tasks that a waiting thread
//! moved out of its own deque.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::BTreeMap;

use oxomp_protocol::Alone;
use oxomp_protocol::lock::Guarded;
use oxomp_protocol::task::Linked;

use super::queued::Queued;
use crate::block::Shared;

/// The properties of a task that the queue uses.
pub(in crate::task) trait Sibling: Linked {
    /// The priority clause; 0 for none.
    fn priority(&self) -> u32;

    /// A number that the tasks of one generating task have in common, and that differs for the
    /// tasks of another.
    fn family(&self) -> usize;
}

/// The shared queue of a team: the highest priority first, and of siblings with the same priority
/// the oldest. Of siblings without a priority the youngest is first, as in a deque.
#[derive(Debug)]
pub(crate) struct Queue<T: Sibling> {
    /// The number of tasks; a hint for threads that do not hold the lock.
    length: AtomicU32,
    /// The number of tasks without a priority; a hint for threads that do not hold the lock.
    ordinary: AtomicU32,
    /// The tasks by priority, then by family. No line is empty.
    lines: Guarded<BTreeMap<(u32, usize), Siblings<T>>>,
}

/// Tasks of one priority that one task has generated, linked by their links. They have the same
/// ancestors, so a thread that may execute the first may execute each of them: no thread has to
/// search many tasks that it may not execute.
#[derive(Debug)]
struct Siblings<T: Sibling> {
    first: Queued<T>,
    last: Queued<T>,
}

impl<T: Sibling> Siblings<T> {
    fn of(task: &'static T) -> Self {
        task.link().set(None);
        Siblings { first: Queued::of(task), last: Queued::of(task) }
    }

    fn push(&mut self, task: &'static T) {
        if task.priority() == 0 {
            task.link().set(Some(self.first.task()));
            self.first = Queued::of(task);
        } else {
            task.link().set(None);
            self.last.task().link().set(Some(task));
            self.last = Queued::of(task);
        }
    }
}

impl<T: Sibling> Queue<T> {
    pub(crate) fn new() -> Self {
        Queue {
            length: AtomicU32::new(0),
            ordinary: AtomicU32::new(0),
            lines: Guarded::new(BTreeMap::new()),
        }
    }

    #[inline(always)]
    pub(in crate::task) fn looks_empty(&self) -> bool {
        // Relaxed: the lock orders the accesses, and a thread that misses a task looks again.
        self.length.load(Relaxed) == 0
    }

    /// Whether the queue looks as if it had no task without a priority.
    pub(in crate::task) fn has_no_ordinary(&self) -> bool {
        // Relaxed: a hint, as in `looks_empty`.
        self.ordinary.load(Relaxed) == 0
    }

    /// Changes the counts by one task of that `priority`, under the lock.
    fn count(&self, priority: u32, change: fn(u32, u32) -> u32) {
        self.length.store(change(self.length.load(Relaxed), 1), Relaxed);
        if priority == 0 {
            self.ordinary.store(change(self.ordinary.load(Relaxed), 1), Relaxed);
        }
    }

    pub(in crate::task) fn push(&self, task: &'static T) {
        let line = (task.priority(), task.family());
        self.lines.with(|lines| {
            lines
                .entry(line)
                .and_modify(|siblings| siblings.push(task))
                .or_insert_with(|| Siblings::of(task));
            self.count(line.0, u32::wrapping_add);
        });
    }

    /// Takes the first task that `suits`, a predicate that has the same value for siblings.
    #[cold]
    pub(in crate::task) fn take(&self, suits: impl Fn(Shared<T>) -> bool) -> Option<&'static T> {
        self.lines.with(|lines| {
            let (line, siblings) = lines
                .iter_mut()
                .rev()
                .find(|(_, siblings)| suits(Shared::of(siblings.first.task())))?;
            let (line, task) = (*line, siblings.first.task());
            match task.link().get() {
                Some(next) => siblings.first = Queued::of(next),
                None => _ = lines.remove(&line),
            }
            self.count(line.0, u32::wrapping_sub);
            Some(task)
        })
    }

    /// In the child of a fork(2): drops the tasks, since a thread that is gone may have held the
    /// lock.
    pub(in crate::task) fn forget(&self, alone: &Alone) {
        self.lines.forget(BTreeMap::new(), alone);
        self.length.store(0, Relaxed);
        self.ordinary.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::ptr;
    use core::sync::atomic::Ordering::Relaxed;

    use super::Queue;
    use crate::block::Shared;
    use crate::task::Task;

    fn task(priority: u32, parent: *const Task) -> &'static Task {
        let task = Box::leak(Box::new(Task::vacant(None, 0)));
        task.priority.set(priority);
        task.parent.store(parent.cast_mut(), Relaxed);
        task
    }

    fn take_all(queue: &Queue<Task>) -> Vec<*const Task> {
        core::iter::from_fn(|| queue.take(|_| true)).map(ptr::from_ref).collect()
    }

    #[test]
    fn higher_priorities_come_first_and_of_equal_ones_the_oldest() {
        let queue = Queue::<Task>::new();
        let tasks = [2, 1, 3, 2, 1, 0, 0].map(|priority| task(priority, ptr::null()));
        for task in tasks {
            queue.push(task);
        }
        let order = [2, 0, 3, 1, 4, 6, 5].map(|index: usize| ptr::from_ref(tasks[index]));
        assert_eq!(take_all(&queue), order);
        assert!(queue.looks_empty());
    }

    #[test]
    fn what_does_not_suit_is_passed_over_as_one() {
        let queue = Queue::<Task>::new();
        let mine = task(0, ptr::null());
        let others = task(0, ptr::null());
        let tasks: [_; 300] = core::array::from_fn(|index| {
            task(7 + index as u32 % 2, if index % 100 == 50 { mine } else { others })
        });
        for task in tasks {
            queue.push(task);
        }
        let looks = Cell::new(0);
        let suits = |task: Shared<Task>| {
            looks.set(looks.get() + 1);
            task.generating().is(mine)
        };
        let taken: Vec<_> = core::iter::from_fn(|| queue.take(suits)).map(ptr::from_ref).collect();
        assert_eq!(taken, [50, 150, 250].map(|index: usize| ptr::from_ref(tasks[index])));
        // The lines are of two priorities and two generating tasks, and one of mine is empty.
        assert!(looks.get() <= 4 * 3, "{} looks", looks.get());
        let left = |priority| {
            tasks.into_iter().filter(move |task| {
                task.priority.get() == priority && ptr::eq(task.parent.load(Relaxed), others)
            })
        };
        let order: Vec<_> = left(8).chain(left(7)).map(ptr::from_ref).collect();
        assert_eq!(take_all(&queue), order);
    }
}
