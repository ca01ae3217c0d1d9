//! The iterations of the program's time loop, found by the regions that repeat in it.
//!
//! A simulation executes some regions once in each step, others several times, and a few now and
//! then. So the numbers of executions of the first ones are equal, but for the step in which the
//! recording begins or ends: the number that most regions share is that of the steps.

use std::collections::BTreeMap;

use crate::model::{Model, Thread};
use crate::summary::{Iterations, SiteId};

/// Fewer are no loop.
const FEWEST: usize = 8;
/// The part of the time with events that the iterations take at least.
const LEAST_PART: f64 = 0.5;

/// One execution of an outermost region.
#[derive(Debug, Clone, Copy)]
struct Execution {
    code: u64,
    begin: u64,
    end: u64,
}

/// The iterations; `None` if no regions repeat. `executed` says how often regions were, by code.
pub(super) fn iterations(
    model: &Model,
    executed: &BTreeMap<u64, u64>,
    site: impl FnOnce(u64) -> Option<SiteId>,
) -> Option<Iterations> {
    let thread = model.threads.iter().find(|thread| thread.initial)?;
    let executions = executions(model);
    let (head, regions) = head(&executions)?;
    let begins: Vec<u64> =
        executions.iter().filter(|it| it.code == head).map(|it| it.begin).collect();
    let pairs = begins.windows(2).map(|pair| (pair[0], pair[1]));
    let timed: Vec<(u64, u64)> = pairs.filter(|pair| is_recorded(thread, *pair)).collect();
    let times: Vec<u64> = timed.iter().map(|(begin, end)| end - begin).collect();
    if times.len() < FEWEST {
        return None;
    }
    let taken: u64 = times.iter().sum();
    if (taken as f64) < LEAST_PART * recorded(thread) as f64 {
        return None;
    }
    let (longest_ns, longest_at_ns) =
        timed.iter().map(|(begin, end)| (end - begin, *begin)).max()?;
    let quarter = times.len() / 4;
    Some(Iterations {
        region: site(head),
        count: executed.get(&head).copied().unwrap_or(0),
        regions,
        timed: times.len() as u64,
        shortest_ns: times.iter().copied().min()?,
        median_ns: median(&times),
        longest_ns,
        longest_at_ns,
        early_ns: median(&times[..quarter]),
        late_ns: median(&times[times.len() - quarter..]),
    })
}

/// The outermost regions whose begin was recorded, by begin.
fn executions(model: &Model) -> Vec<Execution> {
    let outermost = model.regions.iter().filter(|region| !region.nested && !region.is_part);
    let known = outermost.filter_map(|region| {
        Some(Execution { code: region.code, begin: region.begin?, end: region.end? })
    });
    let mut executions: Vec<Execution> = known.collect();
    executions.sort_by_key(|it| it.begin);
    executions
}

/// The region with which iterations begin, and how many regions are executed as often: the number
/// of executions that most regions share, and of several such numbers that whose regions take most
/// time.
fn head(executions: &[Execution]) -> Option<(u64, u64)> {
    let mut by_code = BTreeMap::<u64, (usize, u64)>::new();
    for it in executions {
        let (count, time) = by_code.entry(it.code).or_default();
        *count += 1;
        *time += it.end.saturating_sub(it.begin);
    }
    let counts = by_code.values().map(|(count, _)| *count).filter(|count| *count >= FEWEST);
    // The loop is cut by the begins and ends of windows of events: a region may lack one in each.
    let alike = |one: usize, other: usize| one.abs_diff(other) <= 1 + one.min(other) / 50;
    let group = |count: usize| {
        let members = by_code.values().filter(move |(other, _)| alike(count, *other));
        members.fold((0_u64, 0_u64), |(regions, time), (_, more)| (regions + 1, time + more))
    };
    let count = counts.max_by_key(|count| group(*count))?;
    let is_member = |it: &&Execution| alike(count, by_code[&it.code].0);
    Some((executions.iter().find(is_member)?.code, group(count).0))
}

/// Whether the thread recorded its events from the one moment to the other.
fn is_recorded(thread: &Thread, (begin, end): (u64, u64)) -> bool {
    !thread.gaps.iter().any(|gap| gap.begin < end && gap.end > begin)
}

/// For how long the thread recorded events, as far as its segments tell, ns.
fn recorded(thread: &Thread) -> u64 {
    thread.segments.iter().map(|segment| segment.end - segment.begin).sum()
}

fn median(times: &[u64]) -> u64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Execution, head, iterations};
    use crate::model::{Doing, Model, Region, Segment, Thread};

    /// Regions of these codes one after the other, each 10 ns long, 15 ns apart.
    fn model(codes: &[u64]) -> Model {
        let regions = codes.iter().zip(0..).map(|(&code, at)| Region {
            code,
            begin: Some(15 * at),
            end: Some(15 * at + 10),
            ..Region::default()
        });
        let end = 15 * codes.len() as u64;
        let thread = Thread {
            number: 0,
            tid: 1,
            initial: true,
            begin: 0,
            end,
            folded_from: None,
            segments: vec![Segment { begin: 0, end, doing: Doing::Serial }],
            gaps: Vec::new(),
        };
        Model { end, regions: regions.collect(), threads: vec![thread], ..Model::default() }
    }

    fn found(codes: &[u64]) -> Option<crate::summary::Iterations> {
        let executed = codes.iter().map(|&code| (code, code * 100)).collect();
        iterations(&model(codes), &executed, |_| None)
    }

    #[test]
    fn steps_with_inner_loops_and_output_now_and_then_are_found() {
        let mut codes = vec![9, 8];
        for step in 0..40_usize {
            codes.push(1);
            codes.extend(std::iter::repeat_n(2, 3 + step % 3));
            codes.push(3);
            if step % 10 == 9 {
                codes.push(4);
            }
        }
        let steps = found(&codes).expect("a loop");
        assert_eq!((steps.count, steps.regions, steps.timed), (100, 2, 39));
        assert_eq!((steps.shortest_ns, steps.longest_ns), (15 * 5, 15 * 8));
        assert_eq!(steps.early_ns, 15 * 6);
    }

    #[test]
    fn what_does_not_repeat_is_no_loop() {
        assert_eq!(found(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), None);
        assert_eq!(found(&[1; 5]), None);
        assert_eq!(found(&[]), None);
        let executions: Vec<Execution> =
            (0..10).map(|at| Execution { code: 1 + at % 2, begin: at, end: at + 1 }).collect();
        assert!(head(&executions).is_none(), "five of each");
    }
}
