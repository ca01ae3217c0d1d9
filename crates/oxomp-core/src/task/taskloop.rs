//! The taskloop construct (OpenMP 5.2 §12.6): how iterations are shared out among tasks.

use core::num::NonZeroU64;

/// What the construct says of the number of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Nothing: the runtime chooses.
    Any,
    /// grainsize: at least so many iterations a task, and less than twice as many; with `strict`
    /// exactly so many, but for the last task.
    Size { iterations: NonZeroU64, strict: bool },
    /// num_tasks: so many tasks, if there are as many iterations.
    Tasks(NonZeroU64),
}

/// Tasks that the runtime makes for each thread if the construct does not say (`taskloop_small`: few
/// enough to cost nothing beside the iterations, enough for threads that come late).
const TASKS_PER_THREAD: u64 = 10;

/// How many iterations each task of a taskloop gets, first to last: `longer` tasks with one iteration
/// more than the others; with a strict grain size all have as many, the last what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iterations {
    left: u64,
    tasks: u64,
    /// Iterations of a task, if all but the last have as many.
    fixed: Option<NonZeroU64>,
}

impl Iterations {
    /// For a loop of `count` iterations on `threads` threads.
    #[must_use]
    pub fn new(count: u64, grain: Grain, threads: u32) -> Self {
        let tasks = match grain {
            // Alone, one task is all that is of use.
            Grain::Any if threads == 1 => count.min(1),
            Grain::Any => count.min(u64::from(threads) * TASKS_PER_THREAD),
            Grain::Tasks(tasks) => count.min(tasks.get()),
            Grain::Size { iterations, strict: true } => {
                let fixed = Some(iterations);
                return Iterations { left: count, tasks: count.div_ceil(iterations.get()), fixed };
            }
            // Fewer iterations than asked for are one task.
            Grain::Size { iterations, strict: false } => {
                (count / iterations.get()).max(u64::from(count > 0))
            }
        };
        Iterations { left: count, tasks, fixed: None }
    }

    /// Tasks that are left.
    #[must_use]
    pub fn tasks(&self) -> u64 {
        self.tasks
    }
}

impl Iterator for Iterations {
    type Item = u64;

    /// The iterations of the next task.
    fn next(&mut self) -> Option<u64> {
        if self.tasks == 0 {
            return None;
        }
        let share = match self.fixed {
            Some(fixed) => fixed.get().min(self.left),
            None => self.left.div_ceil(self.tasks),
        };
        self.left -= share;
        self.tasks -= 1;
        Some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::{Grain, Iterations};
    use core::num::NonZeroU64;

    fn shares(count: u64, grain: Grain) -> Vec<u64> {
        Iterations::new(count, grain, 2).collect()
    }

    fn number(value: u64) -> NonZeroU64 {
        NonZeroU64::new(value).unwrap()
    }

    fn size(iterations: u64, strict: bool) -> Grain {
        Grain::Size { iterations: number(iterations), strict }
    }

    #[test]
    fn a_grain_size_is_a_least_size_and_less_than_twice_exceeded() {
        assert_eq!(shares(10, size(3, false)), [4, 3, 3]);
        assert_eq!(shares(5, size(3, false)), [5]);
        assert_eq!(shares(2, size(3, false)), [2]);
        for count in 1..200 {
            for grain in 1..50 {
                let shares = shares(count, size(grain, false));
                assert_eq!(shares.iter().sum::<u64>(), count);
                assert!(shares.iter().all(|share| *share < 2 * grain));
                assert!(count < grain || shares.iter().all(|share| *share >= grain));
            }
        }
    }

    #[test]
    fn a_strict_grain_size_is_exact_but_for_the_last() {
        assert_eq!(shares(10, size(3, true)), [3, 3, 3, 1]);
        assert_eq!(shares(9, size(3, true)), [3, 3, 3]);
    }

    #[test]
    fn tasks_are_as_many_as_asked_if_there_are_iterations() {
        assert_eq!(shares(10, Grain::Tasks(number(4))), [3, 3, 2, 2]);
        assert_eq!(shares(2, Grain::Tasks(number(4))), [1, 1]);
        assert_eq!(shares(0, Grain::Tasks(number(4))), []);
        assert_eq!(shares(u64::MAX, Grain::Tasks(number(1))), [u64::MAX]);
    }

    #[test]
    fn without_a_clause_there_are_some_tasks_for_each_thread() {
        assert_eq!(Iterations::new(1000, Grain::Any, 2).tasks(), 20);
        assert_eq!(Iterations::new(3, Grain::Any, 2).tasks(), 3);
        assert_eq!(Iterations::new(3, Grain::Any, 1).tasks(), 1);
    }
}
