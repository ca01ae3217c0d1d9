//! Tasks that any thread of a team takes before others: those with a priority, and those that became
//! ready where no deque of the team was at hand.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::BTreeMap;

use super::Task;
use crate::mutex::Guarded;

/// The queue of a team; highest priority first, of equal ones the oldest. Without a priority the youngest
/// is first, as in a deque.
#[derive(Debug)]
pub(crate) struct Queue {
    /// How many there are; a hint to those who do not hold the lock.
    length: AtomicU32,
    /// By priority. None is empty.
    levels: Guarded<BTreeMap<u32, Level>>,
}

/// Tasks of one priority, linked by `Task::link`.
#[derive(Debug)]
struct Level {
    first: &'static Task,
    last: &'static Task,
}

impl Level {
    fn of(task: &'static Task) -> Self {
        task.link.set(None);
        Level { first: task, last: task }
    }

    fn push(&mut self, task: &'static Task) {
        if task.priority.get() == 0 {
            task.link.set(Some(self.first));
            self.first = task;
        } else {
            task.link.set(None);
            self.last.link.set(Some(task));
            self.last = task;
        }
    }

    /// The first task that `suits`, and the one before it.
    fn find(
        &self,
        suits: impl Fn(&Task) -> bool,
    ) -> Option<(&'static Task, Option<&'static Task>)> {
        let (mut before, mut task) = (None, self.first);
        while !suits(task) {
            (before, task) = (Some(task), task.link.get()?);
        }
        Some((task, before))
    }

    /// Takes out a task, which comes after `before`: whether there are others.
    fn remove(&mut self, task: &'static Task, before: Option<&'static Task>) -> bool {
        let next = task.link.get();
        match (before, next) {
            (None, None) => return false,
            (None, Some(next)) => self.first = next,
            (Some(before), _) => {
                before.link.set(next);
                if next.is_none() {
                    self.last = before;
                }
            }
        }
        true
    }
}

impl Queue {
    pub(crate) fn new() -> Self {
        Queue { length: AtomicU32::new(0), levels: Guarded::new(BTreeMap::new()) }
    }

    #[inline(always)]
    pub(super) fn looks_empty(&self) -> bool {
        // Relaxed: the lock orders; who misses one looks again.
        self.length.load(Relaxed) == 0
    }

    pub(super) fn push(&self, task: &'static Task) {
        self.levels.with(|levels| {
            levels
                .entry(task.priority.get())
                .and_modify(|level| level.push(task))
                .or_insert_with(|| Level::of(task));
            self.length.store(self.length.load(Relaxed) + 1, Relaxed);
        });
    }

    /// Takes the first task that `suits`.
    #[cold]
    pub(super) fn take(&self, suits: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        self.levels.with(|levels| {
            let find = |(priority, level): (&u32, &Level)| Some((*priority, level.find(&suits)?));
            let (priority, (task, before)) = levels.iter().rev().find_map(find)?;
            let level = levels.get_mut(&priority)?;
            if !level.remove(task, before) {
                levels.remove(&priority);
            }
            self.length.store(self.length.load(Relaxed) - 1, Relaxed);
            Some(task)
        })
    }

    /// In the child of a fork(2): another thread may have had the lock.
    pub(super) fn forget(&self) {
        self.levels.forget(BTreeMap::new());
        self.length.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::Queue;
    use crate::task::Task;

    fn task(priority: u32) -> &'static Task {
        let task = Box::leak(Box::new(Task::vacant(ptr::null(), 0)));
        task.priority.set(priority);
        task
    }

    fn take_all(queue: &Queue) -> Vec<*const Task> {
        core::iter::from_fn(|| queue.take(|_| true)).map(ptr::from_ref).collect()
    }

    #[test]
    fn higher_priorities_come_first_and_of_equal_ones_the_oldest() {
        let queue = Queue::new();
        let tasks = [2, 1, 3, 2, 1, 0, 0].map(task);
        for task in tasks {
            queue.push(task);
        }
        let order = [2, 0, 3, 1, 4, 6, 5].map(|index: usize| ptr::from_ref(tasks[index]));
        assert_eq!(take_all(&queue), order);
        assert!(queue.looks_empty());
    }

    #[test]
    fn what_does_not_suit_stays_in_its_place() {
        for taken in 0..4 {
            let queue = Queue::new();
            let tasks = [7; 4].map(task);
            for task in tasks {
                queue.push(task);
            }
            let suits = |task: &Task| ptr::eq(task, tasks[taken]);
            assert!(queue.take(suits).is_some_and(suits));
            assert!(queue.take(suits).is_none());
            // One more behind the last.
            let more = task(7);
            queue.push(more);
            let left = (0..4).filter(|index| *index != taken).map(|index| tasks[index]);
            let order: Vec<_> = left.chain([more]).map(ptr::from_ref).collect();
            assert_eq!(take_all(&queue), order);
        }
    }
}
