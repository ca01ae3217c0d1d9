//! The constructs for devices that threads executed, with the operations in them.

use oxomp_analysis::Analysis;

use super::holds::Lanes;
use super::slice::{Kind, Slice};

/// The constructs of each thread, by position in the model's threads: one lane for those that have
/// some, and operations outside of constructs.
pub(super) fn devices(analysis: &Analysis, window: (u64, u64)) -> Vec<Lanes> {
    let model = &analysis.model;
    let mut lanes: Vec<Lanes> = vec![Vec::new(); model.threads.len()];
    let mut add = |thread: usize, begin: u64, end: u64, depth: u32, kind: Kind| {
        let (begin, end) = (begin.max(window.0), end.min(window.1));
        if let Some(lanes) = lanes.get_mut(thread).filter(|_| begin < end) {
            if lanes.is_empty() {
                lanes.push(Vec::new());
            }
            lanes[0].push(Slice { begin, end, depth, kind });
        }
    };
    let mut targets = (0..).zip(&model.targets).peekable();
    for (number, operation) in (0..).zip(&model.operations) {
        let here = (operation.thread, operation.begin);
        while let Some((number, target)) =
            targets.next_if(|(_, target)| (target.thread, target.begin) <= here)
        {
            add(target.thread, target.begin, target.end, 0, Kind::Target(number));
        }
        let inside = number_of_target(analysis, operation.thread, operation.begin);
        let kind = Kind::Operation(number);
        add(operation.thread, operation.begin, operation.end, inside, kind);
    }
    for (number, target) in targets {
        add(target.thread, target.begin, target.end, 0, Kind::Target(number));
    }
    lanes
}

/// How many constructs of the thread are under way at `time`: one at most.
fn number_of_target(analysis: &Analysis, thread: usize, time: u64) -> u32 {
    // Those of a thread are beside each other, in the order of their begins.
    let targets = &analysis.model.targets;
    let next = targets.partition_point(|target| (target.thread, target.begin) <= (thread, time));
    let last = next.checked_sub(1).map(|last| &targets[last]);
    u32::from(last.is_some_and(|last| last.thread == thread && time < last.end))
}
