//! The whole run with other numbers of threads.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::Region;

use crate::predict::{Machine, Parts, Predicted, RegionAdvice, loops_of};
use crate::schedule::Schedule;
use crate::tasks;

/// Part of a region's time by which a prediction for another number of threads may be wrong, where
/// its loops are replayed, and where only its threads' sums are known.
const REPLAYED_ERROR: f64 = 0.05;
const SCALED_ERROR: f64 = 0.15;

/// The run with a number of threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TeamPrediction {
    /// Threads of each team that has the largest size now.
    pub threads: u32,
    /// Its wall time with the present schedules.
    pub now: Predicted,
    /// Its wall time with the first alternative of each loop that wins.
    pub advised: Predicted,
}

/// The wall time of the run with `threads` threads in its teams.
#[must_use]
pub(crate) fn predict(
    analysis: &Analysis,
    advice: &[RegionAdvice],
    threads: u32,
) -> TeamPrediction {
    let summary = &analysis.summary;
    let machine = Machine::of(analysis);
    let mut prediction =
        TeamPrediction { threads, now: Predicted::default(), advised: Predicted::default() };
    let mut outside = summary.header.wall_ns as f64;
    for (index, region) in summary.regions.iter().enumerate() {
        if region.nested == region.calls {
            continue;
        }
        outside -= region.wall_ns as f64;
        let chosen = advice.iter().find(|one| one.index == index);
        let now = of_region(analysis, region, machine, threads, None);
        let advised = of_region(analysis, region, machine, threads, chosen);
        add(&mut prediction.now, now);
        add(&mut prediction.advised, advised);
    }
    let outside = outside.max(0.0);
    for sum in [&mut prediction.now, &mut prediction.advised] {
        sum.ns += outside;
    }
    prediction
}

fn add(sum: &mut Predicted, part: Predicted) {
    sum.ns += part.ns;
    sum.error_ns = sum.error_ns.hypot(part.error_ns);
}

/// The time of a region, with the schedules of `advice` where they win.
fn of_region(
    analysis: &Analysis,
    region: &Region,
    machine: Machine,
    threads: u32,
    advice: Option<&RegionAdvice>,
) -> Predicted {
    let measured = Predicted { ns: region.wall_ns as f64, error_ns: 0.0 };
    let before = region.team.1.max(1);
    let is_ruled = before == analysis.summary.header.max_team;
    let threads = if is_ruled { threads } else { before };
    let (known, _) = loops_of(analysis, region);
    let changed = |index: usize| -> Option<Schedule> {
        let one = advice?.loops.iter().find(|one| one.index == index)?;
        let first = one.alternatives.first()?;
        (first.gain_ns > first.region.error_ns.min(first.region.ns * 0.05))
            .then_some(first.schedule)
    };
    if threads == before && known.iter().all(|one| changed(one.index).is_none()) {
        return measured;
    }
    let chain = analysis.summary.chains.iter().find(|chain| chain.region == region.site);
    if let Some(chain) = chain.filter(|chain| known.is_empty() && chain.span_ns > 0) {
        return tasks::with_threads(chain, before, threads.min(machine.cpus));
    }
    let parts = Parts::of(region, &known, machine);
    let setting = machine.setting(threads);
    let loops: f64 =
        known.iter().map(|one| one.time(changed(one.index).unwrap_or(one.now), setting)).sum();
    // Work that is not replayed is divided among the threads that have a processor, as unevenly
    // as it was.
    let factor = f64::from(before.min(machine.cpus)) / f64::from(threads.min(machine.cpus));
    let rest = (parts.other + parts.miss()).max(0.0);
    let surplus = (parts.other + parts.miss()).min(0.0);
    let crowd = if threads == 1 { 0.0 } else { f64::from(threads) / f64::from(before) };
    let taken = if threads > machine.cpus { parts.taken } else { parts.taken * factor.min(1.0) };
    let scaled = rest * factor;
    let ns = (loops + surplus + scaled + parts.overhead * crowd + taken).max(loops * 0.5);
    let own = if threads == before { 0.02 } else { REPLAYED_ERROR };
    let error_ns = (own * loops).hypot(if threads == before { 0.0 } else { SCALED_ERROR * scaled });
    Predicted { ns, error_ns: error_ns.hypot(parts.miss().min(loops) * 0.5) }
}
