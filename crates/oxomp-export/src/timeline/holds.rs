//! The times for which threads held mutexes.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::blame::mutex_kind;
use oxomp_analysis::summary::Class;

use super::{Kind, Slice};

/// The holds of each thread, by position in the model's threads, in lanes: those of a lane do not
/// overlap. A hold whose thread is not known is left out; `threads` are those of implicit tasks.
pub(crate) fn holds(
    analysis: &Analysis,
    window: (u64, u64),
    threads: &HashMap<u32, usize>,
) -> Vec<Vec<Vec<Slice>>> {
    let model = &analysis.model;
    let initial = model.threads.iter().position(|thread| thread.initial);
    let acquired = model.mutex_waits.iter().filter(|wait| wait.acquired);
    let owners: HashMap<(u64, u64), Option<u32>> =
        acquired.map(|wait| ((wait.wait_id, wait.end), wait.member)).collect();
    let mut order: Vec<_> = model.holds.iter().collect();
    order.sort_by_key(|hold| hold.begin);
    let mut lanes: Vec<Vec<Vec<Slice>>> = vec![Vec::new(); model.threads.len()];
    for hold in order {
        let thread = match owners.get(&(hold.wait_id, hold.begin)) {
            Some(Some(member)) => threads.get(member).copied(),
            Some(None) => initial,
            None => None,
        };
        let (begin, end) = (hold.begin.max(window.0), hold.end.min(window.1));
        let Some(lanes) = thread.and_then(|thread| lanes.get_mut(thread)) else { continue };
        if begin >= end {
            continue;
        }
        let mutex = Some(mutex_kind(hold.kind));
        let kind = Kind::Wait { class: Class::Useful, code: Some(hold.code), mutex };
        let slice = Slice { begin, end, depth: 0, kind };
        let free = |lane: &&mut Vec<Slice>| lane.last().is_none_or(|last| last.end <= begin);
        match lanes.iter_mut().find(free) {
            Some(lane) => lane.push(slice),
            None => lanes.push(vec![slice]),
        }
    }
    lanes
}
