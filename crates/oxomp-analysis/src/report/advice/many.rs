//! Advice on the starts and ends of many regions that together cost enough for a line, though none
//! of them alone does.

use crate::report::certainty::{AT_STAKE, Advice, Cause};
use crate::report::recording::{REGION_NS, half};
use crate::report::units::{percent, plural, share, time};
use crate::summary::{Region, Summary};

/// From this number on, regions are many.
const MANY: u64 = 4;
/// Part of the sum that the pieces of advice on single regions have at most, where the sum is worth
/// one of its own.
const TOLD: f64 = 0.5;
/// The part of the time for starting and ending a region that would stay if the region became a
/// part of another one: the collector's part, and the barriers in place of the start and the end.
const STAYS: f64 = 0.5;

/// What starting and ending regions takes, and what their threads wait for each other, ns of wall
/// time.
#[derive(Debug, Default)]
pub(super) struct Calls {
    regions: u64,
    calls: u64,
    wall_ns: u64,
    call_ns: u64,
    /// Regions whose threads wait, and for how long.
    uneven: u64,
    waits_ns: u64,
    /// The gains of the advice on starts and ends of single regions, by size.
    told: Vec<u64>,
}

impl Calls {
    pub(super) fn add(&mut self, region: &Region, call_ns: u64, waits_ns: u64) {
        // What a region inside another one costs is the outer one's loss, too.
        if region.nested == region.calls && region.calls > 0 || region.team.1 < 2 {
            return;
        }
        if call_ns > 0 {
            self.regions += 1;
            self.calls = self.calls.saturating_add(region.calls);
            self.wall_ns = self.wall_ns.saturating_add(region.wall_ns);
            self.call_ns = self.call_ns.saturating_add(call_ns);
        }
        if waits_ns > 0 {
            self.uneven += 1;
            self.waits_ns = self.waits_ns.saturating_add(waits_ns);
        }
    }

    /// There is a piece of advice on the starts and ends of one region.
    pub(super) fn tell(&mut self, advice: &Advice) {
        self.told.push(advice.gain_ns);
    }
}

/// What fewer starts and ends of regions win, of `call_ns` that `calls` of these take.
pub(super) fn of_calls(call_ns: u64, calls: u64) -> Cause {
    let stays = (STAYS * call_ns as f64 / 2.0) as u64;
    Cause::work(call_ns - stays, stays).recorded_with(half(calls, REGION_NS, 1))
}

/// The advice on all regions together; `others` are the pieces that are worth a line by themselves.
pub(super) fn advices(summary: &Summary, calls: &Calls, others: &[Advice]) -> Vec<Advice> {
    let wall = summary.header.recorded_ns;
    let worth = |ns: u64| share(ns, wall) >= AT_STAKE;
    let mut advices = Vec::new();
    let told = calls.told.iter().filter(|gain| worth(**gain)).sum::<u64>();
    if calls.regions >= MANY && worth(calls.call_ns) && is_news(told, calls.call_ns) {
        let text = format!(
            "{}  starting and ending {} takes {} ({}): {} of {} each: fewer and larger regions, \
             such as one with several loops in it, or if(...) for small sizes",
            "all regions",
            plural(calls.regions, "region"),
            time(calls.call_ns),
            percent(share(calls.call_ns, wall)),
            plural(calls.calls, "call"),
            time(calls.wall_ns / calls.calls.max(1)),
        );
        advices.push(of_calls(calls.call_ns, calls.calls).advice(None, summary, text));
    }
    let waits = summary.regions.iter().filter(|region| region.nested < region.calls);
    let largest = waits.max_by_key(|region| region.gain.imbalance_ns);
    let alone = largest.map_or(0, |region| region.gain.imbalance_ns);
    if calls.uneven >= MANY && worth(calls.waits_ns) && !worth(alone) && others.is_empty() {
        let text = format!(
            "{}  in {} threads wait {} for their last one ({}), in none much: the same schedule \
             for loops over the same data, larger loops, or nowait between those in one region",
            "all regions",
            plural(calls.uneven, "region"),
            time(calls.waits_ns),
            percent(share(calls.waits_ns, wall)),
        );
        let cause = Cause { lost_ns: calls.waits_ns, beside_ns: calls.call_ns, ..Cause::default() };
        advices.push(cause.advice(None, summary, text));
    }
    advices
}

/// Whether a sum has more than its parts told.
fn is_news(told_ns: u64, sum_ns: u64) -> bool {
    (told_ns as f64) < TOLD * sum_ns as f64
}
