//! Where user code blocked, and where it waited for other iterations.

use std::collections::BTreeMap;

use oxomp_trace::calls::Blocked as BlockedLooks;

use super::distances::Nests;
use super::sampled_waits::SampledWait;
use crate::calls::CallTree;
use crate::constructs::Constructs;
use crate::scheduler::Taken;
use crate::summary::{Blocked, Cause, REDUCTION, SINK, SiteId};

/// The time that threads were blocked, by region and call path: in each region what was measured
/// there, in proportion to the looks at blocked threads. The runtime's waits, `sampled_waits`, are
/// there as well, with the distances that `nests` has.
pub(super) fn blocked(
    calls: &CallTree,
    constructs: &Constructs,
    taken: &BTreeMap<u64, Taken>,
    sampled_waits: Vec<SampledWait>,
    nests: &Nests,
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Vec<Blocked> {
    let mut all = Vec::new();
    for (&code, region) in taken.iter().filter(|(_, region)| region.blocked > 0) {
        let is_own = |cause: Cause| !cause.is_runtimes();
        let known = calls
            .blocked
            .iter()
            .filter(|one| constructs.name(one.region) == code && is_own(one.cause));
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
            error_ns: 0,
            distances: Vec::new(),
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
                error_ns: 0,
                distances: Vec::new(),
            });
        }
    }
    all.extend(sampled_waits.into_iter().map(|one| Blocked {
        distances: match one.cause {
            Cause::Doacross => nests.distances(one.region, one.line.as_ref()),
            _ => Vec::new(),
        },
        region: site(one.region),
        cause: one.cause,
        function: if one.cause == Cause::Doacross { SINK } else { REDUCTION }.to_owned(),
        path: one.path,
        line: one.line,
        samples: one.samples,
        time_ns: one.time,
        error_ns: one.error,
    }));
    all.sort_by_cached_key(|one| std::cmp::Reverse(one.time_ns));
    all
}

/// The same of a program that has not used OpenMP, of all its threads, by the number of looks at
/// blocked ones: nothing else is known of them.
pub(super) fn blocked_without_openmp(calls: &CallTree) -> Vec<Blocked> {
    let looks = calls.blocked.iter().filter(|one| !one.cause.is_runtimes());
    let mut all: Vec<Blocked> = looks
        .map(|one| Blocked {
            region: None,
            cause: one.cause,
            function: one.function.clone(),
            path: one.path.clone(),
            line: one.line.clone(),
            samples: one.samples,
            time_ns: one.samples.saturating_mul(BlockedLooks::PERIOD_NS),
            // As of a count.
            error_ns: ((one.samples as f64).sqrt() * BlockedLooks::PERIOD_NS as f64) as u64,
            distances: Vec::new(),
        })
        .collect();
    all.sort_by_cached_key(|one| std::cmp::Reverse(one.time_ns));
    all
}
