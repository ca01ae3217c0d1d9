//! The samples of a stream by place, and the addresses and the thread of each.

use std::collections::HashMap;

use oxomp_trace::Clock;
use oxomp_trace::calls::{Pseudo, ThreadCalls};

use super::Sample;
use crate::model::Model;

/// At most this many callers of a node are followed.
const MOST_CALLERS: usize = 1024;

/// Samples of one place.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// All of them.
    pub(super) count: u64,
    /// The samples with thread and time; their nodes are not known yet.
    pub(super) samples: Vec<Sample>,
}

/// The samples of a stream by node and by the region in which their threads were workers, in that
/// order. Samples of which only the number is known get the region of the other samples with their
/// node.
pub(super) fn by_place(
    calls: &ThreadCalls,
    clock: Clock,
    model: &Model,
) -> Vec<((u32, u64), Placed)> {
    let mut left: Vec<u64> = calls.nodes.iter().map(|node| node.count.into()).collect();
    let mut by_place = HashMap::<(u32, u64), Placed>::new();
    for sample in calls.samples.iter().filter(|sample| !sample.fork) {
        let Some(left) = left.get_mut(sample.node as usize) else { continue };
        *left = left.saturating_sub(1);
        let time_ns = clock.ns(sample.tick);
        let thread = thread_at(model, sample.tid, time_ns);
        let place = by_place.entry((sample.node, sample.region)).or_default();
        place.count += 1;
        place.samples.extend(thread.map(|thread| Sample { thread, time_ns, node: 0 }));
    }
    let mut most = HashMap::<u32, (u64, u64)>::new();
    for (&(node, region), samples) in &by_place {
        let known = most.entry(node).or_default();
        *known = (*known).max((samples.count, region));
    }
    for (node, &left) in left.iter().enumerate().skip(Pseudo::COUNT as usize) {
        if left > 0 {
            let node = node as u32;
            let region = most.get(&node).map_or(0, |(_, region)| *region);
            by_place.entry((node, region)).or_default().count += left;
        }
    }
    let mut by_place: Vec<_> = by_place.into_iter().collect();
    by_place.sort_by_key(|(place, _)| *place);
    by_place
}

/// The addresses from the outermost one to `node`, and whether they begin at the thread's start.
pub(super) fn addresses_of(calls: &ThreadCalls, node: u32) -> (Vec<u64>, bool) {
    let mut addresses = Vec::new();
    let mut at = node;
    while at >= Pseudo::COUNT && addresses.len() < MOST_CALLERS {
        let Some(node) = calls.nodes.get(at as usize) else { break };
        addresses.push(node.address);
        // A caller comes before its callees, but in a damaged file.
        if node.caller >= at {
            break;
        }
        at = node.caller;
    }
    addresses.reverse();
    (addresses, at == Pseudo::COMPLETE)
}

/// The number of the thread that had the system's number `tid` at a time.
pub(super) fn thread_at(model: &Model, tid: u32, time_ns: u64) -> Option<u32> {
    let mut first = None;
    for thread in model.threads.iter().filter(|thread| thread.tid == tid) {
        if (thread.begin..=thread.end).contains(&time_ns) {
            return Some(thread.number);
        }
        first.get_or_insert(thread.number);
    }
    first
}
