//! The times for which threads held mutexes.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::model::{Doing, Model};

use super::slice::{Kind, Slice};

/// Holds in lanes: those of a lane do not overlap.
pub(crate) type Lanes = Vec<Vec<Slice>>;

/// The thread of each implicit task, as a position in the model's threads.
pub(crate) fn threads_of_members(model: &Model) -> HashMap<u32, usize> {
    let mut threads = HashMap::new();
    for (position, thread) in model.threads.iter().enumerate() {
        for segment in &thread.segments {
            let member = match segment.doing {
                Doing::Mutex(member) | Doing::Useful(member) => member,
                Doing::Tail { member, .. } => Some(member),
                _ => None,
            };
            threads.extend(member.map(|member| (member, position)));
        }
    }
    threads
}

/// The holds of each thread, by position in the model's threads. A hold whose thread is not known
/// is left out.
pub(super) fn holds(analysis: &Analysis, window: (u64, u64)) -> Vec<Lanes> {
    let model = &analysis.model;
    let threads = threads_of_members(model);
    let initial = model.threads.iter().position(|thread| thread.initial);
    let acquired = model.mutex_waits.iter().filter(|wait| wait.acquired);
    let owners: HashMap<(u64, u64), Option<u32>> =
        acquired.map(|wait| ((wait.wait_id, wait.end), wait.member)).collect();
    let mut order: Vec<_> = (0..).zip(&model.holds).collect();
    order.sort_by_key(|(_, hold)| (hold.begin, hold.end));
    // A release is reported after it has happened: the next owner may have the mutex by then.
    let mut next: HashMap<u64, u64> = HashMap::new();
    let mut ends: Vec<u64> = order
        .iter()
        .rev()
        .map(|(_, hold)| hold.end.min(next.insert(hold.wait_id, hold.begin).unwrap_or(u64::MAX)))
        .collect();
    ends.reverse();
    let mut lanes: Vec<Lanes> = vec![Vec::new(); model.threads.len()];
    for ((number, hold), end) in order.into_iter().zip(ends) {
        let thread = match owners.get(&(hold.wait_id, hold.begin)) {
            Some(Some(member)) => threads.get(member).copied(),
            Some(None) => initial,
            None => None,
        };
        let (begin, end) = (hold.begin.max(window.0), end.min(window.1));
        let Some(lanes) = thread.and_then(|thread| lanes.get_mut(thread)) else { continue };
        if begin >= end {
            continue;
        }
        let slice = Slice { begin, end, depth: 0, kind: Kind::Hold(number) };
        let free = |lane: &&mut Vec<Slice>| lane.last().is_none_or(|last| last.end <= begin);
        match lanes.iter_mut().find(free) {
            Some(lane) => lane.push(slice),
            None => lanes.push(vec![slice]),
        }
    }
    lanes
}
