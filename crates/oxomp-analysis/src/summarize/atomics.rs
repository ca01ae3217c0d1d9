//! Atomic updates of memory at which samples are.

use std::collections::BTreeSet;

use super::iterations::region_in;
use super::sites::Sites;
use crate::calls::CallTree;
use crate::constructs::Constructs;
use crate::summary::AtomicUpdate;

/// The updates in the regions with these code addresses.
pub(super) fn atomics(
    calls: &CallTree,
    constructs: &Constructs,
    regions: &BTreeSet<u64>,
    sites: &mut Sites<'_>,
) -> Vec<AtomicUpdate> {
    let update = |one: &crate::calls::AtomicCode| {
        let code = region_in(one.body, constructs, regions)?;
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
