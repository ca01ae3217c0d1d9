//! Code that initial threads execute outside every region.

use std::collections::BTreeMap;

use crate::folded::Folded;
use crate::gains::covered;
use crate::model::Model;
use crate::offload::overlap::of_initial_threads;
use crate::resolve::{Resolved, overlap};
use crate::scheduler::Taken;
use crate::summary::{SerialStretch, SiteId};
use crate::sums::raise;

/// Sums over the serial stretches between the same two regions.
#[derive(Default)]
struct StretchSums {
    count: u64,
    total: u64,
    max: u64,
    /// While no region of another initial thread ran.
    alone: u64,
    /// Begin and end of each recorded one: several initial threads may work at the same time.
    instances: Vec<(u64, u64)>,
    folded: u64,
}

/// The code that initial threads executed outside every region, by time, largest first; `site`
/// gives the site of a code address.
pub(crate) fn serial(
    model: &Model,
    resolved: &Resolved,
    folded: &Folded,
    taken: &BTreeMap<u64, Taken>,
    threads: u32,
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Vec<SerialStretch> {
    let mut by_surroundings = BTreeMap::<(Option<u64>, Option<u64>), StretchSums>::new();
    let offloaded = of_initial_threads(model);
    for stretch in &model.serial {
        let paused = overlap(&model.pauses, stretch.begin, stretch.end);
        let length = stretch.end - stretch.begin - paused;
        let sums = by_surroundings.entry((stretch.after, stretch.before)).or_default();
        sums.count += 1;
        sums.total += length;
        sums.max = sums.max.max(length);
        // While another initial thread's region runs, no worker idles because of this one.
        let busy = overlap(&resolved.busy, stretch.begin, stretch.end);
        // Nor can what a device does run in parallel on the host.
        let offloaded = overlap(&offloaded, stretch.begin, stretch.end);
        sums.alone += length.saturating_sub(busy).saturating_sub(offloaded);
        sums.instances.push((stretch.begin, stretch.end));
    }
    for (&surroundings, fold) in &folded.serial {
        let sums = by_surroundings.entry(surroundings).or_default();
        raise(&mut sums.count, fold[0]);
        raise(&mut sums.total, fold[1]);
        sums.max = sums.max.max(fold[2]);
        // Other threads' regions at that time are not known any more.
        raise(&mut sums.alone, fold[1].saturating_sub(fold[3]));
        raise(&mut sums.folded, fold[1]);
    }
    let others = u64::from(threads - 1);
    // What the scheduler took of serial code, no change of the program wins.
    let total: u64 = by_surroundings.values().fold(0, |sum, one| sum.saturating_add(one.total));
    let taken = taken.get(&0).map_or(0, |taken| taken.useful).min(total);
    let kept = 1.0 - taken as f64 / total.max(1) as f64;
    let mut stretches: Vec<SerialStretch> = by_surroundings
        .into_iter()
        .map(|((after, before), sums)| {
            let lasted = covered(sums.instances).saturating_add(sums.folded).min(model.end);
            SerialStretch {
                after: after.and_then(&mut site),
                before: before.and_then(&mut site),
                count: sums.count,
                total_ns: sums.total,
                max_ns: sums.max,
                waited_ns: 0,
                gain_ns: ((sums.alone / u64::from(threads) * others).min(lasted) as f64 * kept)
                    as u64,
            }
        })
        .collect();
    stretches.sort_by_cached_key(|stretch| std::cmp::Reverse(stretch.total_ns));
    stretches
}
