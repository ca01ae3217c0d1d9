//! Where threads meet in memory, by samples: atomic updates, loops that wait for a variable, and
//! cache lines that threads share.

use std::collections::BTreeSet;

use super::sites::Sites;
use crate::calls::{CallTree, Sharing};
use crate::constructs::Constructs;
use crate::summary::{AtomicUpdate, SharedLines, SpinLoop};

/// The atomic updates and the loops in the regions with these code addresses.
pub(super) fn sharing(
    calls: &CallTree,
    constructs: &Constructs,
    regions: &BTreeSet<u64>,
    sites: &mut Sites<'_>,
) -> (Vec<AtomicUpdate>, Vec<SpinLoop>) {
    let (mut updates, mut spins) = (Vec::new(), Vec::new());
    for one in &calls.sharing {
        let Some(code) = constructs.region_in(one.body, regions) else { continue };
        let region = sites.id(code);
        let (function, line) = (one.function.clone(), one.line.clone());
        let (samples, of) = (one.samples, one.of);
        match &one.what {
            Sharing::Update(instruction) => {
                let instruction = instruction.clone();
                updates.push(AtomicUpdate { region, function, line, instruction, samples, of });
            }
            Sharing::Spin => spins.push(SpinLoop { region, function, line, samples, of }),
        }
    }
    (updates, spins)
}

/// The cache lines that threads share in the regions with these code addresses.
pub(super) fn shared_lines(
    calls: &CallTree,
    regions: &BTreeSet<u64>,
    sites: &mut Sites<'_>,
) -> Vec<SharedLines> {
    let known = calls.shared_lines.iter().filter(|one| regions.contains(&one.region));
    let known = known.map(|one| SharedLines {
        region: sites.id(one.region),
        sharing: one.sharing,
        places: one.places.clone(),
        object: one.object.clone(),
        threads: one.threads,
        lines: one.lines,
        samples: one.samples,
        taken: one.taken,
        of: one.of,
    });
    known.collect()
}
