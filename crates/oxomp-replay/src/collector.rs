//! What the collector took of a recorded run, which no other run takes.

use oxomp_analysis::summary::Summary;

/// Counting an event of a region, barrier or lock, one of a task from its creation to its end, and
/// a chunk, ns: measured, from a half of it to twice as much, by the work beside it.
const SUMMED: f64 = 60.0;
const TASK: f64 = 110.0;
const CHUNK: f64 = 20.0;
/// How many times more than the collector's own time recording may add to a chunk: a runtime hands
/// chunks out on a slower way if a tool asks for them, and the collector leaves the work fewer of
/// its caches. Chunks of 1.7 µs took 100 ns longer where a recording stated 35 ns.
const BESIDE: f64 = 3.0;

/// What the collector took of the wall time of a run, ns: between nothing and twice as much.
pub(crate) fn took(summary: &Summary) -> f64 {
    let tasks: u64 = summary.tasks.iter().map(|one| one.count).sum();
    let chunks: u64 = summary.loops.iter().map(|one| one.chunks).sum();
    let events = summary.quality.events.saturating_add(summary.quality.folded);
    let all = events as f64 * SUMMED + tasks as f64 * TASK + chunks as f64 * CHUNK;
    let used = summary.header.max_team.min(summary.header.allowed_cpus.max(1)).max(1);
    (all / f64::from(used)).min(MOST * summary.header.recorded_ns as f64)
}

/// What the collector took of each chunk, as far as the recording states it, ns.
pub(crate) fn of_chunk(summary: &Summary) -> f64 {
    let loops = summary.quality.recording.iter().find(|cost| cost.class == "loops");
    let stated = loops.map_or(0.0, |cost| cost.cost_ns as f64 / cost.events.max(1) as f64);
    stated.max(CHUNK)
}

/// How much more recording may have added to a chunk that took `per_chunk`, of which the collector
/// took `took`, ns: not more than the work.
pub(crate) fn beside(took: f64, per_chunk: f64) -> f64 {
    (BESIDE * took).min(per_chunk / 2.0)
}

/// The part of a run that the collector can have been.
const MOST: f64 = 0.7;
