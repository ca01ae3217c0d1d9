//! Tasks that any thread of a team takes before others: those with a priority, those that became
//! ready where no deque of the team was at hand, and those that a waiting thread moved out of its own.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::BTreeMap;

use oxomp_protocol::lock::Guarded;
use oxomp_protocol::task::Linked;

use super::queued::Queued;
use crate::block::Shared;

/// A task as the queue sees it.
pub(in crate::task) trait Sibling: Linked {
    /// The priority clause; 0 for none.
    fn priority(&self) -> u32;

    /// A number that tasks of one generating task have in common, and no others.
    fn family(&self) -> usize;
}

/// The queue of a team; highest priority first, of siblings with the same one the oldest. Without a
/// priority the youngest sibling is first, as in a deque.
#[derive(Debug)]
pub(crate) struct Queue<T: Sibling> {
    /// How many there are; a hint to those who do not hold the lock.
    length: AtomicU32,
    /// How many of them have no priority; likewise.
    ordinary: AtomicU32,
    /// By priority, then by family. None is empty.
    lines: Guarded<BTreeMap<(u32, usize), Siblings<T>>>,
}

/// Tasks of one priority that one task has generated, linked by their links. They descend from
/// the same tasks, so who may run the first may run each: nobody has to look for one among many
/// that he may not run.
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
        // Relaxed: the lock orders; a thread that misses one looks again.
        self.length.load(Relaxed) == 0
    }

    /// Whether it looks as if no task without a priority were in it.
    pub(in crate::task) fn has_no_ordinary(&self) -> bool {
        // Relaxed: as in `looks_empty`.
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

    /// Takes the first task that `suits`, which says the same of siblings.
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

    /// In the child of a fork(2): another thread may have had the lock.
    pub(in crate::task) fn forget(&self) {
        self.lines.forget(BTreeMap::new());
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
