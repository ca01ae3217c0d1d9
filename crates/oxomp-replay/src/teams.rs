//! The whole run with other numbers of threads.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::Region;

use crate::collector;
use crate::predict::{MODEL_ERROR, Machine, Parts, Predicted, RegionAdvice, loops_of, spread};
use crate::schedule::Schedule;
use crate::tasks;

/// Part of a region's time by which a prediction for another number of threads may be wrong, where
/// its loops are replayed, and where only its threads' sums are known.
const REPLAYED_ERROR: f64 = 0.05;
const SCALED_ERROR: f64 = 0.15;
/// The same where threads take turns on the processors, for what they wait for each other's turn.
const TURNS_ERROR: f64 = 0.3;
/// The same for serial code.
const OUTSIDE_ERROR: f64 = 0.02;

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
    // The collector is in every part of the recorded time.
    let collector = collector::took(summary) / 2.0;
    for sum in [&mut prediction.now, &mut prediction.advised] {
        sum.ns = (sum.ns + outside - collector).max(0.0);
        sum.error_ns = sum.error_ns.hypot(collector).hypot(OUTSIDE_ERROR * outside);
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
    let cpus = machine.cpus;
    let (used, used_before) = (threads.min(cpus), before.min(cpus));
    let turns = if threads > cpus { TURNS_ERROR } else { 0.0 };
    let chain = analysis.summary.chains.iter().find(|chain| chain.region == region.site);
    if let Some(chain) = chain.filter(|chain| known.is_empty() && chain.span_ns > 0) {
        let Predicted { ns, error_ns } = tasks::with_threads(chain, used_before, used);
        let parts = [error_ns, turns * ns, region.gain.scheduler_ns as f64, spread(region) * ns];
        return Predicted { ns, error_ns: root(&parts) };
    }
    let parts = Parts::of(region, &known, machine);
    // Threads that take turns are no faster than as many as have a processor, even where a
    // replay that divides the processors evenly says so.
    let loops: f64 = known
        .iter()
        .map(|one| {
            let schedule = changed(one.index).unwrap_or(one.now);
            let time = |threads| one.time(schedule, machine.setting(threads));
            time(threads).max(time(used))
        })
        .sum();
    // Work that is not replayed is divided among the threads that have a processor, as unevenly
    // as it was.
    let factor = f64::from(used_before) / f64::from(used);
    let rest = (parts.other + parts.miss()).max(0.0);
    let surplus = (parts.other + parts.miss()).min(0.0);
    let scaled = rest * factor;
    // Each thread that meets the others costs as much, as far as it has a processor; threads that
    // waited for their turn when they were recorded do not, if each has one.
    let meeting =
        if threads == 1 { 0.0 } else { parts.overhead * f64::from(used) / f64::from(before) };
    let taken = if threads > cpus { parts.taken } else { 0.0 };
    let ns = (loops + surplus + scaled + meeting + taken).max(loops * 0.5);
    let is_same = threads == before;
    let parts = [
        if is_same { MODEL_ERROR } else { REPLAYED_ERROR } * loops,
        if is_same { 0.0 } else { SCALED_ERROR * scaled },
        parts.miss().min(loops) * 0.5,
        parts.taken,
        (parts.overhead - meeting).abs().max(meeting / 2.0),
        turns * ns,
        // Other threads in a lock at a time wait for other times.
        if is_same { 0.0 } else { parts.locks },
        spread(region) * ns,
        known.iter().map(|one| one.handing_out_error).sum::<f64>() / f64::from(used),
    ];
    Predicted { ns, error_ns: root(&parts) }
}

fn root(parts: &[f64]) -> f64 {
    parts.iter().map(|part| part * part).sum::<f64>().sqrt()
}
