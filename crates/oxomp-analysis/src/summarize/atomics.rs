//! Atomic updates of memory at which samples are.

use super::sites::Sites;
use crate::calls::CallTree;
use crate::summary::AtomicUpdate;

/// The updates in the regions with these code addresses.
pub(super) fn atomics(
    calls: &CallTree,
    regions: impl Iterator<Item = u64> + Clone,
    sites: &mut Sites<'_>,
) -> Vec<AtomicUpdate> {
    let update = |one: &crate::calls::AtomicCode| {
        // As a return address, which the code address of a region is, it lies behind the begin.
        let (begin, end) = one.body;
        let code = regions.clone().find(|code| begin < *code && *code <= end)?;
        Some(AtomicUpdate {
            region: sites.id(code),
            function: one.function.clone(),
            line: one.line.clone(),
            instruction: one.instruction.clone(),
            samples: one.samples,
            of: one.of,
        })
    };
    calls.atomics.iter().filter_map(update).collect()
}
