//! Which numbers of threads are run, and what is known beforehand about the processors.

use std::env;
use std::fs;
use std::thread::available_parallelism;

use rustix::thread::sched_getaffinity;

/// The numbers of threads of a series.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Ascending, each once.
    pub(super) counts: Vec<u32>,
    /// Processors that the program may use.
    pub(super) processors: u32,
    /// What the user should know beforehand.
    pub(super) notes: Vec<String>,
}

/// What limits threads here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    /// Processors of the machine.
    online: u32,
    /// The processors that affinity and cpuset leave.
    allowed: u32,
    /// As many as a quota leaves of those.
    quota: u32,
    /// OMP_THREAD_LIMIT.
    threads: Option<u32>,
}

impl Plan {
    /// The plan for the numbers that the user `asked` for, or for all numbers if the user named
    /// none.
    pub(super) fn new(asked: &[u32]) -> Self {
        Self::within(Limits::of_process(), asked)
    }

    fn within(limits: Limits, asked: &[u32]) -> Self {
        let processors = limits.allowed.min(limits.quota).max(1);
        let mut notes = Vec::new();
        if limits.allowed < limits.online {
            notes.push(format!(
                "of {} processors, affinity or a cpuset leaves {}",
                limits.online, limits.allowed
            ));
        }
        if limits.quota < limits.allowed {
            notes.push(format!(
                "a quota of processor time leaves {} of {} processors",
                limits.quota, limits.allowed
            ));
        }
        let mut counts = asked.to_vec();
        if asked.is_empty() {
            let most = limits.threads.map_or(processors, |limit| limit.min(processors)).max(1);
            if most < processors {
                notes.push(format!(
                    "OMP_THREAD_LIMIT={most}: no more threads are run (of {processors} processors)"
                ));
            }
            let doubled = std::iter::successors(Some(1), |count: &u32| count.checked_mul(2));
            counts.extend(doubled.take_while(|count| *count < most).chain([most]));
        } else {
            let beyond = |limit: u32| {
                let beyond = asked.iter().filter(|count| **count > limit);
                beyond.map(u32::to_string).collect::<Vec<_>>().join(", ")
            };
            let over = beyond(processors);
            if !over.is_empty() {
                notes.push(format!(
                    "--threads {over}: more than the processors, of which there are {processors}"
                ));
            }
            if let Some(limit) = limits.threads
                && !beyond(limit).is_empty()
            {
                notes.push(format!(
                    "--threads {}: OMP_THREAD_LIMIT={limit} leaves teams no more threads than that",
                    beyond(limit)
                ));
            }
        }
        counts.sort_unstable();
        counts.dedup();
        Self { counts, processors, notes }
    }
}

impl Limits {
    fn of_process() -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let parallelism = available_parallelism().map_or(1, |number| count(number.get()));
        let allowed = sched_getaffinity(None).map_or(parallelism, |set| set.count());
        let online = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
        Self {
            online: processors_in(&online).unwrap_or(allowed),
            allowed,
            quota: parallelism,
            threads: env::var("OMP_THREAD_LIMIT").ok().and_then(|text| text.trim().parse().ok()),
        }
    }
}

/// How many processors a list such as `0-3,8` names.
fn processors_in(list: &str) -> Option<u32> {
    list.trim().split(',').try_fold(0, |sum: u32, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        sum.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

/// OMP_NUM_THREADS for `threads` threads: the outermost level has them, the levels below what the
/// user asked for.
pub(super) fn num_threads(threads: u32, present: Option<&str>) -> String {
    match present.and_then(|present| present.split_once(',')) {
        Some((_, inner)) => format!("{threads},{}", inner.trim()),
        None => threads.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, Plan, num_threads, processors_in};

    const FREE: Limits = Limits { online: 6, allowed: 6, quota: 6, threads: None };

    fn counts(limits: Limits, asked: &[u32]) -> Vec<u32> {
        Plan::within(limits, asked).counts
    }

    #[test]
    fn doubled_up_to_the_processors() {
        let with = |processors| Limits { allowed: processors, ..FREE };
        assert_eq!(counts(with(1), &[]), [1]);
        assert_eq!(counts(with(2), &[]), [1, 2]);
        assert_eq!(counts(FREE, &[]), [1, 2, 4, 6]);
        assert_eq!(Plan::within(FREE, &[]).notes, Vec::<String>::new());
    }

    #[test]
    fn what_limits_threads_is_said() {
        let plan = Plan::within(Limits { allowed: 4, quota: 2, ..FREE }, &[]);
        assert_eq!((plan.counts, plan.processors), (vec![1, 2], 2));
        assert!(plan.notes[0].contains("of 6 processors, affinity or a cpuset leaves 4"));
        assert!(plan.notes[1].contains("quota") && plan.notes[1].contains("2 of 4"));
        let plan = Plan::within(Limits { threads: Some(3), ..FREE }, &[]);
        assert_eq!(plan.counts, [1, 2, 3]);
        assert!(plan.notes[0].contains("OMP_THREAD_LIMIT=3"), "{:?}", plan.notes);
    }

    #[test]
    fn more_than_the_processors_are_run_if_asked_for() {
        let plan = Plan::within(Limits { threads: Some(10), ..FREE }, &[12, 2, 8, 2]);
        assert_eq!(plan.counts, [2, 8, 12]);
        assert!(plan.notes[0].contains("--threads 12, 8: more than the processors"));
        assert!(plan.notes[1].contains("--threads 12: OMP_THREAD_LIMIT=10"));
    }

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(processors_in("0-3,8\n"), Some(5));
        assert_eq!(processors_in("0"), Some(1));
        for bad in ["", "3-1", "x"] {
            assert_eq!(processors_in(bad), None, "{bad}");
        }
    }

    #[test]
    fn inner_levels_keep_their_threads() {
        assert_eq!(num_threads(4, None), "4");
        assert_eq!(num_threads(4, Some("8")), "4");
        assert_eq!(num_threads(4, Some("8, 2,1")), "4,2,1");
    }
}
