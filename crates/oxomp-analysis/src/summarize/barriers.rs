//! Barriers inside regions, by place and kind.

use std::collections::BTreeMap;

use super::sites::Sites;
use crate::folded::Folded;
use crate::model::Model;
use crate::resolve::{BarrierTimes, Resolved};
use crate::summary::{Barrier, BarrierKind, WorkKind, work_kind};
use crate::sums::raise;

pub(super) fn barriers(
    model: &Model,
    resolved: &Resolved,
    folded: &Folded,
    sites: &mut Sites<'_>,
) -> Vec<Barrier> {
    let mut by_site = BTreeMap::<_, (u64, BarrierTimes)>::new();
    for (wait, times) in model.barrier_waits.iter().zip(&resolved.barriers) {
        // A thread outside every region is alone at its barriers, so its sums have no barriers.
        let Some(member) = wait.member else { continue };
        let region = model.regions[model.members[member as usize].region as usize].code;
        // A thread that does not execute the single region waits at its end too.
        let ends = wait.ends.map(|kind| work_kind(kind).unwrap_or(WorkKind::Single));
        let sums = by_site
            .entry((BarrierKind::of_number(wait.kind), wait.code, region, ends))
            .or_default();
        sums.0 += 1;
        sums.1.imbalance += times.imbalance;
        sums.1.cost += times.cost;
        sums.1.starved += times.starved;
    }
    for (&(kind, code, region, ends), fold) in &folded.barriers {
        let ends = (ends != 0).then(|| work_kind(ends).unwrap_or(WorkKind::Single));
        let sums = by_site.entry((BarrierKind::of_number(kind), code, region, ends)).or_default();
        raise(&mut sums.0, fold[0]);
        raise(&mut sums.1.imbalance, fold[1]);
        raise(&mut sums.1.cost, fold[2]);
        raise(&mut sums.1.starved, fold[3]);
    }
    let mut barriers: Vec<Barrier> = by_site
        .into_iter()
        .map(|((kind, code, region, ends), (passes, times))| Barrier {
            site: sites.of_program(code),
            kind,
            region: sites.id(region),
            passes,
            ends,
            wait_ns: times.imbalance.saturating_add(times.cost).saturating_add(times.starved),
            imbalance_ns: times.imbalance,
            cost_ns: times.cost,
            starved_ns: times.starved,
        })
        .collect();
    barriers.sort_by_cached_key(|barrier| std::cmp::Reverse(barrier.wait_ns));
    barriers
}
