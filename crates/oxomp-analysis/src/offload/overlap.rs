//! What the host's threads did while others waited in constructs for devices.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_trace::offload::HOST;

use crate::model::{Doing, Model, Target};
use crate::resolve::{overlap, union};
use crate::summary::Overlap;

/// The recorded time of a construct, ns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Beside {
    /// In the construct.
    pub(crate) recorded: u64,
    /// The part of this time in which at least one thread of the host worked.
    pub(crate) worked: u64,
}

/// The recorded constructs of a run, and the work of the host beside them.
#[derive(Debug, Default)]
pub(crate) struct Overlaps {
    /// By OMPT's kind, code address and device.
    pub(crate) constructs: BTreeMap<(u8, u64, u32), Beside>,
    /// The overlap of all constructs together; `None` if no construct was recorded.
    pub(crate) whole: Option<Overlap>,
}

/// The time that initial threads spent in constructs: disjoint and in order.
pub(crate) fn of_initial_threads(model: &Model) -> Vec<(u64, u64)> {
    let is_initial =
        |target: &&Target| model.threads.get(target.thread).is_some_and(|thread| thread.initial);
    let targets = model.targets.iter().filter(is_initial);
    union(targets.map(|target| (target.begin, target.end)).collect())
}

/// The constructs of `model` that a device executes. Where the host executes a construct, its
/// threads do not wait: what they do there is work like any other.
fn of_devices(model: &Model) -> impl Iterator<Item = &Target> + Clone {
    model.targets.iter().filter(|target| target.device != HOST)
}

/// The overlaps of the constructs of `model`.
pub(crate) fn overlaps(model: &Model) -> Overlaps {
    if of_devices(model).next().is_none() {
        return Overlaps::default();
    }
    let work = host_work(model);
    let mut constructs = BTreeMap::<_, Beside>::new();
    for target in of_devices(model) {
        let sums = constructs.entry((target.kind, target.code, target.device)).or_default();
        sums.recorded += target.end - target.begin;
        sums.worked += overlap(&work, target.begin, target.end);
    }
    let times = union(of_devices(model).map(|target| (target.begin, target.end)).collect());
    let constructs_ns = times.iter().map(|(begin, end)| end - begin).sum();
    let both_ns: u64 = times.iter().map(|&(begin, end)| overlap(&work, begin, end)).sum();
    let first = times.first().map_or(0, |(begin, _)| *begin);
    let last = times.last().map_or(0, |(_, end)| *end);
    let host_ns = overlap(&work, first, last).saturating_sub(both_ns);
    let whole = Overlap { constructs_ns, both_ns, host_ns };
    Overlaps { constructs, whole: Some(whole) }
}

/// The time in which at least one thread executed code of the program that is not a device's:
/// disjoint and in order. A thread in a construct waits for the device, and a region that begins
/// there is part of a kernel, which a device of the host executes.
fn host_work(model: &Model) -> Vec<(u64, u64)> {
    let mut targets = vec![Vec::new(); model.threads.len()];
    for target in of_devices(model) {
        if let Some(own) = targets.get_mut(target.thread) {
            own.push((target.begin, target.end));
        }
    }
    let targets: Vec<_> = targets.into_iter().map(union).collect();
    let kernels = regions_of_kernels(model, &targets);
    let mut work = Vec::new();
    for (thread, targets) in model.threads.iter().zip(&targets) {
        for segment in &thread.segments {
            let member = match segment.doing {
                Doing::Serial => None,
                Doing::Useful(member) => member,
                Doing::Task(task) => Some(model.tasks[task as usize].member),
                _ => continue,
            };
            let region = member.map(|member| model.members[member as usize].region);
            if region.is_none_or(|region| !kernels.contains(&region)) {
                without(targets, segment.begin, segment.end, &mut work);
            }
        }
    }
    union(work)
}

/// Adds the parts of [begin, end) that lie outside of `intervals`, which are disjoint and in order.
fn without(intervals: &[(u64, u64)], begin: u64, end: u64, rest: &mut Vec<(u64, u64)>) {
    let first = intervals.partition_point(|interval| interval.1 <= begin);
    let mut from = begin;
    for &(inner, after) in intervals[first..].iter().take_while(|interval| interval.0 < end) {
        if from < inner {
            rest.push((from, inner));
        }
        from = after.min(end);
    }
    if from < end {
        rest.push((from, end));
    }
}

/// The regions that threads began in constructs, and those inside them: indices in the model's.
fn regions_of_kernels(model: &Model, targets: &[Vec<(u64, u64)>]) -> BTreeSet<u32> {
    let mut kernels = BTreeSet::new();
    for (thread, targets) in model.threads.iter().zip(targets) {
        if targets.is_empty() {
            continue;
        }
        for segment in &thread.segments {
            let region = match segment.doing {
                Doing::Fork { region } => Some(region),
                Doing::Useful(Some(member)) | Doing::Tail { member, .. } => {
                    Some(model.members[member as usize].region)
                }
                _ => None,
            };
            let Some(region) = region else { continue };
            let begin = model.regions[region as usize].begin;
            let is_inside = |&(from, to): &(u64, u64)| {
                begin.is_some_and(|begin| from <= begin && begin < to)
                    && from <= segment.begin
                    && segment.begin < to
            };
            let at = targets.partition_point(|target| target.1 <= segment.begin);
            if targets.get(at).is_some_and(is_inside) {
                kernels.insert(region);
            }
        }
    }
    // A region inside another one may have the smaller index.
    loop {
        let inner = (0_u32..).zip(&model.regions).filter(|(index, region)| {
            !kernels.contains(index) && region.outer.is_some_and(|outer| kernels.contains(&outer))
        });
        let inner: Vec<u32> = inner.map(|(index, _)| index).collect();
        if inner.is_empty() {
            return kernels;
        }
        kernels.extend(inner);
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, HOST, overlaps};
    use crate::model::{Doing, Member, Model, Region, Segment, Target, Thread};
    use crate::summary::Overlap;

    fn thread(initial: bool, segments: &[(u64, u64, Doing)]) -> Thread {
        let segments: Vec<Segment> =
            segments.iter().map(|&(begin, end, doing)| Segment { begin, end, doing }).collect();
        let (begin, end) = (segments[0].begin, segments[segments.len() - 1].end);
        Thread {
            number: 0,
            tid: 0,
            initial,
            begin,
            end,
            folded_from: None,
            segments,
            gaps: Vec::new(),
        }
    }

    fn target(thread: usize, begin: u64, end: u64) -> Target {
        Target { kind: 1, device: 0, code: 7, thread, begin, end, ended: true }
    }

    fn member(region: u32) -> Member {
        Member { region, begin: 0, arrival: None, release: None, nested: 0 }
    }

    #[test]
    fn a_thread_that_waits_for_the_device_does_not_work() {
        let model = Model {
            threads: vec![thread(true, &[(0, 100, Doing::Serial)])],
            targets: vec![target(0, 20, 60), target(0, 70, 80)],
            ..Model::default()
        };
        let found = overlaps(&model);
        let whole = Overlap { constructs_ns: 50, both_ns: 0, host_ns: 10 };
        assert_eq!(found.whole, Some(whole));
        assert_eq!(found.constructs[&(1, 7, 0)], Beside { recorded: 50, worked: 0 });
    }

    #[test]
    fn work_of_other_threads_is_beside_the_construct() {
        let model = Model {
            threads: vec![
                thread(true, &[(0, 100, Doing::Serial)]),
                thread(false, &[(0, 100, Doing::Useful(None))]),
            ],
            targets: vec![target(1, 20, 60), target(1, 90, 90)],
            ..Model::default()
        };
        let found = overlaps(&model);
        let whole = Overlap { constructs_ns: 40, both_ns: 40, host_ns: 30 };
        assert_eq!(found.whole, Some(whole));
        assert_eq!(found.constructs[&(1, 7, 0)], Beside { recorded: 40, worked: 40 });
    }

    #[test]
    fn what_a_kernel_runs_on_the_host_is_the_devices() {
        let region = |begin, outer| Region { begin: Some(begin), outer, ..Region::default() };
        let model = Model {
            threads: vec![
                thread(
                    true,
                    &[
                        (0, 30, Doing::Serial),
                        (30, 50, Doing::Useful(Some(1))),
                        (50, 60, Doing::Serial),
                    ],
                ),
                thread(false, &[(0, 60, Doing::Useful(Some(0)))]),
            ],
            // The inner one comes first.
            regions: vec![region(35, Some(1)), region(30, None)],
            members: vec![member(0), member(1)],
            targets: vec![target(0, 20, 55)],
            ..Model::default()
        };
        let whole = Overlap { constructs_ns: 35, both_ns: 0, host_ns: 0 };
        assert_eq!(overlaps(&model).whole, Some(whole));
    }

    #[test]
    fn what_the_host_executes_itself_is_its_work() {
        let host = |begin, end| Target { device: HOST, ..target(0, begin, end) };
        let mut model = Model {
            threads: vec![thread(true, &[(0, 100, Doing::Serial)])],
            targets: vec![host(20, 60)],
            ..Model::default()
        };
        assert_eq!(overlaps(&model).whole, None);
        model.targets.push(target(0, 70, 80));
        model.targets.push(target(0, 10, 15));
        let found = overlaps(&model);
        let whole = Overlap { constructs_ns: 15, both_ns: 0, host_ns: 55 };
        assert_eq!(found.whole, Some(whole));
        assert_eq!(found.constructs.keys().collect::<Vec<_>>(), [&(1, 7, 0)]);
    }

    #[test]
    fn without_constructs_there_is_nothing_to_tell() {
        assert_eq!(overlaps(&Model::default()).whole, None);
    }
}
