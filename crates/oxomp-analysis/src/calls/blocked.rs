//! The call paths in which threads blocked.

use oxomp_trace::calls::ThreadCalls;

use super::build::{Builder, Code, addresses_of, by_place};
use super::cause::{call_name, cause};
use super::library::{outside_library, short_name};
use super::{BlockedCall, CallTree};
use crate::model::Model;
use crate::summary::Cause;

/// Where the runtime waits for other iterations of a doacross loop nest: its functions have this
/// in their names.
const DOACROSS: &str = "doacross_wait";

/// The paths of `calls`, which are those in which threads blocked.
pub(super) fn blocked(
    mut builder: Builder<'_>,
    calls: &ThreadCalls,
    model: &Model,
) -> Vec<BlockedCall> {
    let mut found = Vec::new();
    let mut unplaced = Vec::new();
    for ((node, region), placed) in by_place(calls, builder.clock(), model) {
        let (addresses, _) = addresses_of(calls, node);
        let [code, path @ .., call] = addresses.as_slice() else { continue };
        let Some(wait) = wait(&mut builder, path, *call) else { continue };
        let path = builder.path(path);
        match builder.caller_of(&path, region) {
            Some(caller) => {
                let node = builder.insert(caller, &path.frames, placed.count);
                found.push((*code, wait, node, placed.count));
            }
            None => unplaced.push((*code, wait, path, placed.count)),
        }
    }
    for (code, wait, path, count) in unplaced {
        let caller = builder.usual_caller(&path);
        let node = builder.insert(caller, &path.frames, count);
        found.push((code, wait, node, count));
    }
    let tree = builder.close();
    let mut calls: Vec<BlockedCall> = Vec::new();
    for (region, (cause, function), node, samples) in found {
        let (path, line) = node.map(|node| path_to(&tree, node)).unwrap_or_default();
        let call = BlockedCall { region, cause, function, path, line, samples };
        let same = |one: &&mut BlockedCall| {
            (one.region, one.cause, &one.function, &one.path, &one.line)
                == (call.region, call.cause, &call.function, &call.path, &call.line)
        };
        match calls.iter_mut().find(same) {
            Some(one) => one.samples += call.samples,
            None => calls.push(call),
        }
    }
    calls
}

/// The cause of a wait in `call` at the end of a path of addresses, the outermost first, and the
/// function that was called for it. `None`: the runtime waits, and its events tell for what.
fn wait(builder: &mut Builder<'_>, path: &[u64], call: u64) -> Option<(Cause, String)> {
    let mut functions = Vec::new();
    for &address in path.iter().rev() {
        match builder.code(address) {
            Code::Library(frames) => {
                functions.extend(frames.into_iter().rev().map(|frame| frame.function));
            }
            Code::Runtime => {
                let inside = |address: &&u64| matches!(builder.code(**address), Code::Runtime);
                let runtime: Vec<u64> = path.iter().rev().filter(inside).copied().collect();
                let waits = runtime
                    .into_iter()
                    .any(|address| builder.runtime_function(address).contains(DOACROSS));
                return waits.then(|| (Cause::Doacross, "ordered depend(sink)".to_owned()));
            }
            Code::User(frames) => {
                let inner = frames.iter().rev().take_while(|frame| frame.library);
                functions.extend(inner.map(|frame| frame.function.clone()));
                if frames.iter().any(|frame| !frame.library) {
                    break;
                }
            }
        }
    }
    let cause = cause(call, &functions);
    let function = functions.last().map_or_else(|| call_name(call, cause), |name| short_name(name));
    Some((cause, function))
}

/// The user's functions from the start of the program to the call, and its line.
fn path_to(tree: &CallTree, node: u32) -> (Vec<String>, Option<(String, u32)>) {
    let (node, _) = outside_library(tree, node);
    let mut path = Vec::new();
    let mut at = Some(node);
    while let Some(number) = at {
        let one = &tree.nodes[number as usize];
        path.push(one.function.clone());
        at = one.caller;
    }
    path.reverse();
    (path, tree.nodes[node as usize].line.clone())
}
