//! Samples at atomic updates of memory in regions.

use std::collections::HashMap;

use oxomp_trace::Profile;
use oxomp_trace::calls::Pseudo;

use super::AtomicCode;
use super::build::{Builder, Code, Frame, addresses_of};

/// An update: the begin and the end of the body of its region, its function and line, and the
/// instruction.
type Key = (u64, u64, String, Option<(String, u32)>, String);

/// The atomic updates in regions at which samples are.
pub(super) fn atomics(mut builder: Builder<'_>, profile: &Profile) -> Vec<AtomicCode> {
    let mut bodies = HashMap::<(u64, u64), u64>::new();
    let mut updates = HashMap::<Key, u64>::new();
    let mut known = HashMap::<u64, Option<(Frame, String)>>::new();
    for calls in &profile.calls {
        let nodes = (0_u32..).zip(&calls.nodes).skip(Pseudo::COUNT as usize);
        for (node, _) in nodes.filter(|(_, node)| node.count > 0) {
            let (addresses, _) = addresses_of(calls, node);
            let samples = u64::from(calls.nodes[node as usize].count);
            let Some(body) = builder.body(&addresses) else { continue };
            *bodies.entry(body).or_default() += samples;
            let Some(&address) = addresses.last() else { continue };
            let found = match known.get(&address) {
                Some(found) => found.clone(),
                None => {
                    let found = update(&mut builder, &addresses);
                    known.insert(address, found.clone());
                    found
                }
            };
            if let Some((frame, instruction)) = found {
                let key = (body.0, body.1, frame.function, frame.line, instruction);
                *updates.entry(key).or_default() += samples;
            }
        }
    }
    let mut found: Vec<AtomicCode> = updates
        .into_iter()
        .map(|((begin, end, function, line, instruction), samples)| AtomicCode {
            body: (begin, end),
            function,
            line,
            instruction,
            samples,
            of: bodies[&(begin, end)],
        })
        .collect();
    found.sort_by(|a, b| b.samples.cmp(&a.samples).then_with(|| a.line.cmp(&b.line)));
    found
}

/// The user's code at the end of the path, and the atomic update that it executes there.
fn update(builder: &mut Builder<'_>, addresses: &[u64]) -> Option<(Frame, String)> {
    let &address = addresses.last()?;
    match builder.code(address) {
        Code::User(_) => {
            let update = builder.atomic_update(address)?;
            let Code::User(frames) = builder.code(address - update.before) else { return None };
            Some((of_user(frames)?, update.instruction))
        }
        Code::Runtime => {
            let name = builder.runtime_function(address);
            let user = addresses.iter().rev().find_map(|at| match builder.code(*at) {
                Code::User(frames) => Some(frames),
                _ => None,
            })?;
            name.contains("_atomic_").then(|| Some((of_user(user)?, name)))?
        }
        Code::Library(_) => None,
    }
}

/// The innermost of the functions at one address that is the user's.
fn of_user(frames: Vec<Frame>) -> Option<Frame> {
    let mut inner = frames.into_iter().rev();
    let first = inner.next()?;
    if !first.library {
        return Some(first);
    }
    Some(inner.find(|frame| !frame.library).unwrap_or(first))
}
