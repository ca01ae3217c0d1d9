//! Where threads meet in memory, by samples: atomic updates, and loops that wait for a variable.

use std::collections::BTreeSet;

use super::sites::Sites;
use crate::calls::{CallTree, HotAccess};
use crate::constructs::Constructs;
use crate::summary::{AtomicUpdate, SpinLoop};

/// The atomic updates and the loops in the regions with these code addresses.
pub(super) fn hot_accesses(
    calls: &CallTree,
    constructs: &Constructs,
    regions: &BTreeSet<u64>,
    sites: &mut Sites<'_>,
) -> (Vec<AtomicUpdate>, Vec<SpinLoop>) {
    let (mut updates, mut spins) = (Vec::new(), Vec::new());
    for one in &calls.hot_accesses {
        let Some(code) = constructs.region_in(one.body, regions) else { continue };
        let region = sites.id(code);
        let (function, line) = (one.function.clone(), one.line.clone());
        let (samples, of) = (one.samples, one.of);
        match &one.what {
            HotAccess::Update(instruction) => {
                let instruction = instruction.clone();
                updates.push(AtomicUpdate { region, function, line, instruction, samples, of });
            }
            HotAccess::Spin => spins.push(SpinLoop { region, function, line, samples, of }),
        }
    }
    (updates, spins)
}
