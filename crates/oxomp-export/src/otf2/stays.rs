//! The stays of a thread in barriers: one region around the slices of each.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::{BarrierKind, Class};

use crate::timeline::{Kind, Namer, Slice};

/// A stay in a barrier, with the tasks that the thread executed in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stay {
    /// The end of its last slice.
    pub(super) end: u64,
    /// A directive, or a barrier whose reason is not known.
    pub(super) is_explicit: bool,
    /// The code address of the barrier, or of the region that it ends.
    pub(super) code: Option<u64>,
}

/// The stays of a thread with these slices, by the position of the first slice of each.
pub(super) fn stays(slices: &[Slice], analysis: &Analysis) -> HashMap<usize, Stay> {
    let mut stays: HashMap<usize, Stay> = HashMap::new();
    // The slices around the current one.
    let mut around: Vec<usize> = Vec::new();
    // Of each wait, and of the end of each region, in a slice: where the stay begins.
    let mut firsts: HashMap<(Option<usize>, Option<u32>), usize> = HashMap::new();
    for (position, slice) in slices.iter().enumerate() {
        while around.last().is_some_and(|last| slices[*last].depth >= slice.depth) {
            around.pop();
        }
        let parent = around.last().copied();
        around.push(position);
        let wait = match slice.kind {
            Kind::Barrier { wait, .. } => Some(wait),
            Kind::Wait {
                class: Class::Imbalance | Class::Barrier | Class::Starved,
                code: None,
                mutex: None,
            } => None,
            _ => continue,
        };
        let first = *firsts.entry((parent, wait)).or_insert(position);
        let stay = stays.entry(first).or_insert_with(|| {
            let kind = wait.map(|wait| analysis.model.barrier_waits[wait as usize].kind);
            let kind = kind.map_or(BarrierKind::Parallel, BarrierKind::of_number);
            let named = if wait.is_some() { Some(slice) } else { parent.map(|at| &slices[at]) };
            Stay {
                end: slice.end,
                is_explicit: matches!(kind, BarrierKind::Explicit | BarrierKind::Unspecified),
                code: named.and_then(|named| Namer::code(named, analysis)),
            }
        });
        stay.end = slice.end;
    }
    stays
}
