//! Cache lines that threads share, by samples.

use std::collections::BTreeSet;

use super::sites::Sites;
use crate::calls::CallTree;
use crate::summary::SharedLines;

/// The cache lines that threads share in the regions with these code addresses.
pub(super) fn shared_lines(
    calls: &CallTree,
    regions: &BTreeSet<u64>,
    sites: &mut Sites<'_>,
) -> Vec<SharedLines> {
    let known = calls.shared_lines.iter().filter(|(region, _)| regions.contains(region));
    known
        .map(|(region, lines)| SharedLines { region: sites.id(*region), ..lines.clone() })
        .collect()
}
