//! The code in which the samples are, by function and line.

use std::collections::HashMap;

use crate::calls::CallTree;
use crate::model::{Doing, Model};
use crate::summary::{HotCode, HotStretch, Sampled, SiteId};

/// Functions kept of the whole run, and of a serial stretch.
const MOST_OF_RUN: usize = 200;
const MOST_OF_STRETCH: usize = 3;

/// The hot code of `calls`; `None` without samples.
pub(crate) fn sampled(
    calls: &CallTree,
    model: &Model,
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Option<Sampled> {
    if calls.nodes.is_empty() {
        return None;
    }
    let parallel = parallel(calls);
    let beside = in_regions_by_time(calls, model, &parallel);
    let taken: u64 = calls.nodes.iter().map(|node| node.own).sum();
    let own = calls.nodes.iter().enumerate().map(|(index, node)| {
        let serial = if parallel[index] { 0 } else { node.own.saturating_sub(beside[index]) };
        (index as u32, Own { samples: node.own, serial })
    });
    let mut stretches: HashMap<(Option<u64>, Option<u64>), HashMap<u32, u64>> = HashMap::new();
    let initial =
        |number: u32| model.threads.iter().any(|thread| thread.number == number && thread.initial);
    let mut serial: Vec<_> = model.serial.iter().collect();
    serial.sort_by_key(|stretch| stretch.begin);
    for sample in &calls.samples {
        if parallel[sample.node as usize] || !initial(sample.thread) {
            continue;
        }
        let next = serial.partition_point(|stretch| stretch.begin <= sample.time_ns);
        let Some(stretch) = next.checked_sub(1).map(|at| serial[at]) else { continue };
        if sample.time_ns <= stretch.end {
            let key = (stretch.after, stretch.before);
            let node = outside_library(calls, sample.node);
            *stretches.entry(key).or_default().entry(node).or_default() += 1;
        }
    }
    let mut stretches: Vec<HotStretch> = stretches
        .into_iter()
        .map(|((after, before), nodes)| HotStretch {
            after: after.and_then(&mut site),
            before: before.and_then(&mut site),
            samples: nodes.values().sum(),
            code: hot(
                calls,
                nodes.into_iter().map(|(node, own)| (node, Own { samples: own, serial: own })),
                MOST_OF_STRETCH,
            ),
        })
        .collect();
    stretches.sort_by_key(|stretch| (std::cmp::Reverse(stretch.samples), stretch.after));
    Some(Sampled {
        taken,
        incomplete: calls.incomplete,
        lost: calls.lost,
        period_ns: calls.period_ns,
        code: hot(calls, own, MOST_OF_RUN),
        stretches,
    })
}

/// The node, or the caller outside the C library if it is in there: what calls it can be changed.
fn outside_library(calls: &CallTree, node: u32) -> u32 {
    let mut at = Some(node);
    while let Some(number) = at {
        let one = &calls.nodes[number as usize];
        let in_library = one.module.as_deref().is_some_and(is_c_library);
        if !in_library {
            return number;
        }
        at = one.caller;
    }
    node
}

/// Whether the file of this name is the C library, or a part of it, or the code by which the kernel
/// helps it.
pub(crate) fn is_c_library(file: &str) -> bool {
    ["libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "linux-vdso"]
        .iter()
        .any(|name| file.starts_with(name))
}

/// Whether each node is in a region.
pub(crate) fn parallel(calls: &CallTree) -> Vec<bool> {
    let mut parallel: Vec<bool> = Vec::with_capacity(calls.nodes.len());
    for node in &calls.nodes {
        let caller = node.caller.and_then(|caller| parallel.get(caller as usize).copied());
        parallel.push(node.region || caller.unwrap_or(false));
    }
    parallel
}

/// Of each node, the samples whose call paths show no region though their threads were in one: a
/// path that could not be followed to its start ends before the region.
fn in_regions_by_time(calls: &CallTree, model: &Model, parallel: &[bool]) -> Vec<u64> {
    let mut counts = vec![0; calls.nodes.len()];
    for sample in calls.samples.iter().filter(|sample| !parallel[sample.node as usize]) {
        let mut threads = model.threads.iter();
        let thread = threads.find(|thread| thread.number == sample.thread);
        // Where a thread only added up, its segments have ended.
        let doing = thread.and_then(|thread| {
            let next = thread.segments.partition_point(|one| one.end <= sample.time_ns);
            thread.segments.get(next).filter(|one| one.begin <= sample.time_ns)
        });
        let outside = |doing| {
            matches!(
                doing,
                Doing::Serial
                    | Doing::Fork { .. }
                    | Doing::Idle { .. }
                    | Doing::Useful(None)
                    | Doing::Taskwait(None)
                    | Doing::Mutex(None)
            )
        };
        if doing.is_some_and(|segment| !outside(segment.doing)) {
            counts[sample.node as usize] += 1;
        }
    }
    counts
}

/// Samples of one place.
#[derive(Debug, Default, Clone, Copy)]
struct Own {
    samples: u64,
    /// Those outside of regions.
    serial: u64,
}

/// The functions with the most of the samples, each with its hottest line.
fn hot(calls: &CallTree, samples: impl Iterator<Item = (u32, Own)>, most: usize) -> Vec<HotCode> {
    #[derive(Default)]
    struct Sums<'a> {
        own: Own,
        lines: HashMap<Option<&'a (String, u32)>, u64>,
    }
    let mut functions = HashMap::<(&str, Option<&str>), Sums<'_>>::new();
    for (index, own) in samples.filter(|(_, own)| own.samples > 0) {
        let node = &calls.nodes[index as usize];
        let sums = functions.entry((&node.function, node.module.as_deref())).or_default();
        sums.own.samples += own.samples;
        sums.own.serial += own.serial;
        *sums.lines.entry(node.line.as_ref()).or_default() += own.samples;
    }
    let mut code: Vec<HotCode> = functions
        .into_iter()
        .map(|((function, module), sums)| {
            let known = sums.lines.iter().filter_map(|(line, own)| Some((*own, (*line)?)));
            let hottest = known.max_by_key(|(own, line)| (*own, std::cmp::Reverse(*line)));
            HotCode {
                function: function.to_owned(),
                module: module.map(ToOwned::to_owned),
                line: hottest.map(|(_, line)| line.clone()),
                samples: sums.own.samples,
                serial: sums.own.serial,
            }
        })
        .collect();
    code.sort_by(|a, b| b.samples.cmp(&a.samples).then_with(|| a.function.cmp(&b.function)));
    code.truncate(most);
    code
}

#[cfg(test)]
mod tests {
    use super::sampled;
    use crate::calls::{CallNode, CallTree, Sample};
    use crate::model::{Doing, Model, Segment, Thread};

    /// A thread that is outside of regions for 100 ns, and in one for 100 ns.
    fn model() -> Model {
        let segments = vec![
            Segment { begin: 0, end: 100, doing: Doing::Serial },
            Segment { begin: 100, end: 200, doing: Doing::Useful(Some(0)) },
        ];
        let thread = Thread {
            number: 1,
            tid: 1,
            initial: true,
            begin: 0,
            end: 200,
            folded_from: Some(200),
            segments,
        };
        Model { threads: vec![thread], ..Model::default() }
    }

    #[test]
    fn a_path_that_is_cut_inside_a_region_is_not_serial() {
        let own = 3;
        let node = CallNode {
            caller: None,
            function: "strlen".to_owned(),
            line: None,
            module: None,
            region: false,
            own,
            total: own,
        };
        let samples = [50, 150, 250].map(|time_ns| Sample { thread: 1, time_ns, node: 0 });
        let calls = CallTree {
            nodes: vec![node],
            samples: samples.to_vec(),
            incomplete: own,
            ..CallTree::default()
        };
        let found = sampled(&calls, &model(), |_| None).expect("there are samples");
        // That of 150 ns is in the region; of that of 250 ns only its path could tell.
        assert_eq!((found.code[0].samples, found.code[0].serial), (3, 2));
    }
}
