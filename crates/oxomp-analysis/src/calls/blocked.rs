//! The call paths in which threads blocked.

use oxomp_trace::calls::ThreadCalls;

use super::BlockedCall;
use super::builder::Builder;
use super::cause::{call_name, cause};
use super::code::Code;
use super::library::short_name;
use super::placing::Placing;
use super::runtime_wait::RuntimeWait;
use super::samples::{addresses_of, by_place};
use crate::model::Model;
use crate::processor::machine_of;
use crate::summary::{Cause, REDUCTION, SINK};

/// The paths of `calls`, which are those in which threads blocked.
pub(super) fn blocked(
    builder: Builder<'_>,
    calls: &ThreadCalls,
    model: &Model,
) -> Vec<BlockedCall> {
    let mut placing = Placing::new(builder);
    let clock = placing.builder().clock();
    for ((node, region), placed) in by_place(calls, clock, model) {
        let (addresses, _) = addresses_of(calls, node);
        let [code, path @ .., call] = addresses.as_slice() else { continue };
        let Some(wait) = wait(placing.builder(), path, *call) else { continue };
        placing.add((*code, wait, placed.count), path, region, placed.count);
    }
    let mut calls: Vec<BlockedCall> = Vec::new();
    for ((region, (cause, function), samples), path) in placing.close() {
        let (path, line) = (path.functions, path.line);
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
                return match builder.runtime_wait(path)?.0 {
                    RuntimeWait::Iteration => Some((Cause::Doacross, SINK.to_owned())),
                    RuntimeWait::Reduction => Some((Cause::Reduction, REDUCTION.to_owned())),
                    RuntimeWait::Turn => None,
                };
            }
            Code::Interpreter => {}
            Code::User(frames) => {
                let inner = frames.iter().rev().take_while(|frame| frame.library);
                functions.extend(inner.map(|frame| frame.function.clone()));
                if frames.iter().any(|frame| !frame.library) {
                    break;
                }
            }
        }
    }
    let machine = machine_of(&builder.profile.info);
    let cause = cause(machine, call, &functions);
    let named = functions.last().map(|name| short_name(name));
    let function = named.unwrap_or_else(|| call_name(machine, call, cause));
    Some((cause, function))
}
