//! The taskloop construct (OpenMP 5.2 §12.6): its tasks, and the distribution of the iterations
//! over them.

use core::num::NonZeroU64;

use oxomp_arch::CallSite;

use super::Task;
use super::generate::generate;
use super::taskgroup::{begin_taskgroup, end_taskgroup};
use crate::block::Thread;
use crate::ompt::event::{Endpoint, Work, emit};

/// The clauses of a taskloop construct, and the iterations of its loops.
#[derive(Clone, Copy, Debug)]
pub struct Taskloop {
    /// The number of logical iterations of all associated loops.
    pub iterations: u64,
    /// The grainsize clause or the num_tasks clause, if there is one.
    pub grain: Grain,
    /// The value of the if clause: whether the tasks may be deferred.
    pub is_deferred: bool,
    /// The nogroup clause: the construct has no taskgroup region, and does not wait for its tasks.
    pub nogroup: bool,
}

/// The iterations of one task, by their logical numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The first iteration, counted from 0.
    pub first: u64,
    /// The number of iterations.
    pub iterations: NonZeroU64,
    /// The chunk contains the loop's last iteration.
    pub is_last: bool,
}

/// The taskloop construct: generates for each chunk the task that `task` allocates. Calls `begin`
/// before, inside the construct's taskgroup if it has one.
#[inline]
pub fn taskloop(
    thread: &'static Thread,
    construct: Taskloop,
    begin: impl FnOnce(),
    mut task: impl FnMut(Chunk) -> &'static Task,
    site: CallSite,
) {
    let Taskloop { iterations, grain, is_deferred, nogroup } = construct;
    if !nogroup {
        begin_taskgroup(thread, site);
    }
    begin();
    let encountering = thread.task();
    emit::work(Work::Taskloop, Endpoint::Begin, &encountering.ompt, iterations, site);
    for chunk in Chunks::new(iterations, grain, thread.team().size()) {
        let task = task(chunk);
        if !is_deferred {
            task.undefer();
        }
        task.set_chunk(chunk.first, chunk.iterations.get());
        generate(thread, task, site);
    }
    emit::work(Work::Taskloop, Endpoint::End, &encountering.ompt, iterations, site);
    if !nogroup {
        end_taskgroup(thread, site);
    }
}

/// The clause of a taskloop construct that determines the number of its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// No clause: the runtime chooses.
    Any,
    /// grainsize: each task has at least `iterations`, and less than twice as many; with `strict`
    /// exactly `iterations`, except for the last task.
    Size {
        /// The number of iterations that the clause gives.
        iterations: NonZeroU64,
        /// The strict modifier.
        strict: bool,
    },
    /// num_tasks: the number of tasks, unless there are fewer iterations.
    Tasks(NonZeroU64),
}

/// The tasks that the runtime generates for each thread if the construct has neither clause: few
/// enough that their cost is negligible beside the iterations, enough for threads that come late
/// (`taskloop_small`).
const TASKS_PER_THREAD: u64 = 10;

/// The chunks of a loop, from first to last. The first ones may have one iteration more than the
/// others; with a strict grain size all have that size, except for the last, which has the rest.
#[derive(Clone, Copy, Debug)]
struct Chunks {
    first: u64,
    left: u64,
    tasks: u64,
    /// The number of iterations of each chunk but the last, for a strict grain size.
    fixed: Option<NonZeroU64>,
}

impl Chunks {
    /// The chunks of a loop of `count` iterations in a team of `threads` threads.
    fn new(count: u64, grain: Grain, threads: u32) -> Self {
        let tasks = match grain {
            // A thread without others gains nothing from a second task.
            Grain::Any if threads == 1 => count.min(1),
            Grain::Any => count.min(u64::from(threads) * TASKS_PER_THREAD),
            Grain::Tasks(tasks) => count.min(tasks.get()),
            Grain::Size { iterations, strict: true } => count.div_ceil(iterations.get()),
            // Fewer iterations than the grain size make one task.
            Grain::Size { iterations, strict: false } => {
                (count / iterations.get()).max(u64::from(count > 0))
            }
        };
        let fixed = match grain {
            Grain::Size { iterations, strict: true } => Some(iterations),
            _ => None,
        };
        Chunks { first: 0, left: count, tasks, fixed }
    }
}

impl Iterator for Chunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        let left = NonZeroU64::new(self.left)?;
        let iterations = match self.fixed {
            Some(fixed) => fixed.min(left),
            None => left.div_ceil(NonZeroU64::new(self.tasks)?),
        };
        let first = self.first;
        self.first += iterations.get();
        self.left -= iterations.get();
        self.tasks -= 1;
        Some(Chunk { first, iterations, is_last: self.left == 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::{Chunk, Chunks, Grain};
    use core::num::NonZeroU64;

    fn shares(count: u64, grain: Grain) -> Vec<u64> {
        Chunks::new(count, grain, 2).map(|chunk| chunk.iterations.get()).collect()
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
        assert_eq!(Chunks::new(1000, Grain::Any, 2).count(), 20);
        assert_eq!(Chunks::new(3, Grain::Any, 2).count(), 3);
        assert_eq!(Chunks::new(3, Grain::Any, 1).count(), 1);
    }

    #[test]
    fn chunks_follow_each_other_and_the_last_says_so() {
        let chunks: Vec<_> = Chunks::new(10, size(4, true), 2).collect();
        let chunk =
            |first, iterations, is_last| Chunk { first, iterations: number(iterations), is_last };
        assert_eq!(chunks, [chunk(0, 4, false), chunk(4, 4, false), chunk(8, 2, true)]);
    }
}
