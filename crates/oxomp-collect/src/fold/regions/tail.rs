//! A thread's time from its arrival at a region's end until the join.

use oxomp_trace::fold::thread;

use crate::fold::split::stay;
use crate::team::Ending;

/// A thread's time from its arrival at a region's end until the join, without the tasks that the
/// thread executed meanwhile, in ticks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tail {
    /// Until the last arrival, from there until the release, and while tasks were under way.
    stay: [u64; 3],
    /// From the release until the join.
    join: u64,
    /// By how much the estimate of the tasks exceeds the whole tail: tasks that were only counted
    /// are taken to be as long as others of their construct.
    excess: u64,
}

pub(super) fn split_tail(ending: &Ending, arrival: u64, tasks: u64) -> Tail {
    let last = ending.last.max(arrival);
    let release = ending.release.max(last);
    let stay = stay((arrival, last, release), ending.tasking, tasks);
    let more = tasks.saturating_sub(release - arrival);
    let join = ending.end.saturating_sub(release);
    Tail { stay, join: join.saturating_sub(more), excess: more.saturating_sub(join) }
}

/// Adds the parts of a tail to a thread's time, whose useful part has the tail's tasks already.
pub(super) fn add_tail(time: &mut [u64; 12], tail: Tail) {
    let [late, cost, starved] = tail.stay;
    time[thread::IMBALANCE] += late;
    time[thread::BARRIER] += cost;
    time[thread::STARVED] += starved;
    time[thread::FORK_JOIN] += tail.join;
    take_back(time, tail.excess);
}

/// The estimate of a thread's useful time was `excess` ticks more than the time that has passed.
pub(super) fn take_back(time: &mut [u64; 12], excess: u64) {
    time[thread::USEFUL] = time[thread::USEFUL].saturating_sub(excess);
}

#[cfg(test)]
mod tests {
    use super::{Ending, Tail, split_tail};

    #[test]
    fn the_parts_of_a_tail_are_the_time_that_has_passed() {
        let ending = Ending { last: 40, release: 50, end: 60, busy: 0, tasking: None };
        for (tasks, stay, join, excess) in
            [(0, [30, 10], 10, 0), (35, [0, 5], 10, 0), (45, [0, 0], 5, 0), (70, [0, 0], 0, 20)]
        {
            let expected = Tail { stay: [stay[0], stay[1], 0], join, excess };
            assert_eq!(split_tail(&ending, 10, tasks), expected);
            let all = tasks - excess + stay[0] + stay[1] + join;
            assert_eq!(all, ending.end - 10, "{tasks} ticks of tasks");
        }
    }
}
