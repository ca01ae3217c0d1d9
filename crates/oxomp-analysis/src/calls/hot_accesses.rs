//! Samples where threads meet in memory, in regions: at atomic updates, and in loops that wait for
//! another thread to change a variable.

use std::collections::HashMap;

use oxomp_trace::Profile;
use oxomp_trace::calls::Pseudo;

use super::builder::Builder;
use super::code::Code;
use super::frame::Frame;
use super::samples::addresses_of;
use super::{HotAccess, HotAccessCode};

/// The begin and the end of the body of the region, the function and line, and what is there.
type Key = (u64, u64, String, Option<(String, u32)>, HotAccess);

/// The places in regions at which samples are.
pub(super) fn hot_accesses(mut builder: Builder<'_>, profile: &Profile) -> Vec<HotAccessCode> {
    let mut bodies = HashMap::<(u64, u64), u64>::new();
    let mut places = HashMap::<Key, u64>::new();
    let mut known = HashMap::<u64, Option<(Frame, HotAccess)>>::new();
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
                    let found = place(&mut builder, &addresses);
                    known.insert(address, found.clone());
                    found
                }
            };
            if let Some((frame, what)) = found {
                let key = (body.0, body.1, frame.function, frame.line, what);
                *places.entry(key).or_default() += samples;
            }
        }
    }
    let mut found: Vec<HotAccessCode> = places
        .into_iter()
        .map(|((begin, end, function, line, what), samples)| HotAccessCode {
            body: (begin, end),
            function,
            line,
            what,
            samples,
            of: bodies[&(begin, end)],
        })
        .collect();
    found.sort_by(|a, b| b.samples.cmp(&a.samples).then_with(|| a.line.cmp(&b.line)));
    found
}

/// The user's code at the end of the path, and what it does there.
fn place(builder: &mut Builder<'_>, addresses: &[u64]) -> Option<(Frame, HotAccess)> {
    let &address = addresses.last()?;
    match builder.code(address) {
        Code::User(_) => {
            let (at, what) = match builder.atomic_update(address) {
                Some(update) => (address - update.before, HotAccess::Update(update.instruction)),
                None => (builder.spin_loop(address)?, HotAccess::Spin),
            };
            let Code::User(frames) = builder.code(at) else { return None };
            Some((of_user(frames)?, what))
        }
        Code::Runtime => {
            let name = builder.runtime_function(address);
            let user = addresses.iter().rev().find_map(|at| match builder.code(*at) {
                Code::User(frames) => Some(frames),
                _ => None,
            })?;
            let is_update = name.contains("_atomic_");
            is_update.then(|| Some((of_user(user)?, HotAccess::Update(name))))?
        }
        Code::Library(_) | Code::Interpreter => None,
    }
}

/// The innermost of the functions at one address that is the user's.
pub(super) fn of_user(frames: Vec<Frame>) -> Option<Frame> {
    let mut inner = frames.into_iter().rev();
    let first = inner.next()?;
    if !first.library {
        return Some(first);
    }
    Some(inner.find(|frame| !frame.library).unwrap_or(first))
}
