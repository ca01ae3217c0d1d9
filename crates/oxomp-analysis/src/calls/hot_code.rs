//! The code in which the samples are, by function and line.

use std::collections::HashMap;

use crate::calls::CallTree;
use crate::model::Model;
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
    let taken: u64 = calls.nodes.iter().map(|node| node.own).sum();
    let own = calls.nodes.iter().enumerate().map(|(index, node)| (index as u32, node.own));
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
            code: hot(calls, &parallel, nodes.into_iter(), MOST_OF_STRETCH),
        })
        .collect();
    stretches.sort_by_key(|stretch| (std::cmp::Reverse(stretch.samples), stretch.after));
    Some(Sampled {
        taken,
        incomplete: calls.incomplete,
        lost: calls.lost,
        period_ns: calls.period_ns,
        code: hot(calls, &parallel, own, MOST_OF_RUN),
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

/// The functions with the most of the samples, each with its hottest line.
fn hot(
    calls: &CallTree,
    parallel: &[bool],
    samples: impl Iterator<Item = (u32, u64)>,
    most: usize,
) -> Vec<HotCode> {
    #[derive(Default)]
    struct Sums<'a> {
        samples: u64,
        serial: u64,
        lines: HashMap<Option<&'a (String, u32)>, u64>,
    }
    let mut functions = HashMap::<(&str, Option<&str>), Sums<'_>>::new();
    for (index, own) in samples.filter(|(_, own)| *own > 0) {
        let node = &calls.nodes[index as usize];
        let sums = functions.entry((&node.function, node.module.as_deref())).or_default();
        sums.samples += own;
        sums.serial += if parallel[index as usize] { 0 } else { own };
        *sums.lines.entry(node.line.as_ref()).or_default() += own;
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
                samples: sums.samples,
                serial: sums.serial,
            }
        })
        .collect();
    code.sort_by(|a, b| b.samples.cmp(&a.samples).then_with(|| a.function.cmp(&b.function)));
    code.truncate(most);
    code
}
