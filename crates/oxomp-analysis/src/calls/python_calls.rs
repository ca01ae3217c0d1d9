//! The functions of Python that lead to regions.
//!
//! A region's code address is that to which the call of the runtime returns, and a path names that
//! call by its last byte: so the node before the runtime's tells the region, and its callers have
//! the functions of Python. Paths to a region, and those of samples in it, both have them.

use std::collections::{BTreeMap, HashMap};

use oxomp_trace::Profile;
use oxomp_trace::calls::{Pseudo, ThreadCalls};
use oxomp_trace::python::PythonAddress;

use super::builder::Builder;
use super::code::Code;
use crate::constructs::Constructs;
use crate::summary::PythonCall;

/// Functions that are kept of a path: the innermost ones.
const MOST: usize = 64;

/// For each region to which Python led, by its code address: the functions on the most frequent
/// path, the innermost first.
pub(super) fn python_calls(
    mut builder: Builder<'_>,
    profile: &Profile,
    constructs: &Constructs,
) -> BTreeMap<u64, Vec<PythonCall>> {
    let mut found = BTreeMap::<u64, HashMap<Vec<PythonCall>, u64>>::new();
    if profile.python.is_empty() {
        return BTreeMap::new();
    }
    for calls in &profile.calls {
        for (node, count) in counted(calls) {
            let caller = calls.nodes[node as usize].caller;
            let Some(call) = calls.nodes.get(caller as usize).filter(|_| caller < node) else {
                continue;
            };
            if caller < Pseudo::COUNT
                || PythonAddress::decode(call.address).is_some()
                || !matches!(builder.code(calls.nodes[node as usize].address), Code::Runtime)
                || !matches!(builder.code(call.address), Code::User(_))
            {
                continue;
            }
            let functions = functions_above(&mut builder, calls, caller);
            if !functions.is_empty() {
                let region = constructs.name(call.address.wrapping_add(1));
                *found.entry(region).or_default().entry(functions).or_default() += count;
            }
        }
    }
    let most = |paths: HashMap<Vec<PythonCall>, u64>| {
        let most = paths.into_iter().max_by(|(one, a), (other, b)| a.cmp(b).then(other.cmp(one)));
        most.map(|(path, _)| path).unwrap_or_default()
    };
    found.into_iter().map(|(region, paths)| (region, most(paths))).collect()
}

/// Each node with the samples in it and in what it called, and paths to regions that end there.
fn counted(calls: &ThreadCalls) -> Vec<(u32, u64)> {
    let mut counts: Vec<u64> = calls.nodes.iter().map(|node| node.count.into()).collect();
    for fork in calls.samples.iter().filter(|sample| sample.fork) {
        if let Some(count) = counts.get_mut(fork.node as usize) {
            *count += 1;
        }
    }
    for node in (Pseudo::COUNT as usize..counts.len()).rev() {
        let caller = calls.nodes[node].caller as usize;
        if caller < node {
            counts[caller] += counts[node];
        }
    }
    let nodes = (0_u32..).zip(counts).skip(Pseudo::COUNT as usize);
    nodes.filter(|(_, count)| *count > 0).collect()
}

/// The functions of Python above the node, the innermost first; each function of a recursion once,
/// with its innermost line.
fn functions_above(builder: &mut Builder<'_>, calls: &ThreadCalls, node: u32) -> Vec<PythonCall> {
    let mut functions: Vec<PythonCall> = Vec::new();
    let mut at = node;
    while let Some(one) = calls.nodes.get(at as usize).filter(|one| one.caller < at) {
        if PythonAddress::decode(one.address).is_some()
            && let Code::User(frames) = builder.code(one.address)
        {
            for frame in frames {
                let Some((file, line)) = frame.line else { continue };
                let is_same =
                    |known: &PythonCall| known.function == frame.function && known.file == file;
                if functions.len() < MOST && !functions.iter().any(is_same) {
                    functions.push(PythonCall { function: frame.function, file, line });
                }
            }
        }
        at = one.caller;
    }
    functions
}
