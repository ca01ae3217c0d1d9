//! Where user code blocked.

use std::collections::BTreeMap;

use crate::calls::CallTree;
use crate::constructs::Constructs;
use crate::scheduler::Taken;
use crate::summary::{Blocked, Cause, SiteId};

/// The time that threads were blocked, by region and call path: in each region what was measured
/// there, in proportion to the looks at blocked threads.
pub(super) fn blocked(
    calls: &CallTree,
    constructs: &Constructs,
    taken: &BTreeMap<u64, Taken>,
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Vec<Blocked> {
    let mut all = Vec::new();
    for (&code, region) in taken.iter().filter(|(_, region)| region.blocked > 0) {
        let known = calls.blocked.iter().filter(|one| constructs.name(one.region) == code);
        let samples: u64 = known.clone().map(|one| one.samples).sum();
        let part = region.blocked as f64 / samples.max(1) as f64;
        all.extend(known.map(|one| Blocked {
            region: site(code),
            cause: one.cause,
            function: one.function.clone(),
            path: one.path.clone(),
            line: one.line.clone(),
            samples: one.samples,
            time_ns: (one.samples as f64 * part) as u64,
        }));
        if samples == 0 {
            all.push(Blocked {
                region: site(code),
                cause: Cause::Unknown,
                function: String::new(),
                path: Vec::new(),
                line: None,
                samples: 0,
                time_ns: region.blocked,
            });
        }
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.time_ns));
    all
}
