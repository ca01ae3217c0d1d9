//! What the replays expect of other schedules, for the summary's first advice.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::{ExpectedGain, Region};

use crate::advice::is_replayed;
use crate::predict;
use crate::report::change;

/// Part of a region's time that waits for locks may cost: they are in the costs of iterations, and
/// another schedule changes them.
const MOST_IN_LOCKS: f64 = 0.1;

/// Part of the recorded time that imbalance and handing out chunks have to cost in a region: the
/// summary advises on nothing less, and a replay takes milliseconds.
const AT_STAKE: f64 = 0.02;

/// The gain of the best other schedule of each loop whose costs `analysis` has, for
/// [`Summary::expected`](oxomp_analysis::summary::Summary::expected); only those that win time,
/// in regions where there is time to win.
#[must_use]
pub fn expected_gains(analysis: &Analysis) -> Vec<ExpectedGain> {
    let recorded = analysis.summary.header.recorded_ns;
    let mut gains = Vec::new();
    for (index, region) in analysis.summary.regions.iter().enumerate() {
        let Some(advice) =
            is_worth_it(region, recorded).then(|| predict::advise(analysis, index)).flatten()
        else {
            continue;
        };
        gains.extend(advice.loops.iter().filter_map(|one| {
            let best = one.alternatives.first().filter(|best| best.gain_ns >= 1.0)?;
            Some(ExpectedGain {
                loop_index: one.index,
                change: change(analysis, one, best.schedule),
                gain_ns: best.gain_ns as u64,
                error_ns: best.region.error_ns as u64,
            })
        }));
    }
    gains
}

fn is_worth_it(region: &Region, recorded_ns: u64) -> bool {
    let lost = region.gain.imbalance_ns.saturating_add(region.gain.dispatch_ns);
    is_replayed(region)
        && lost as f64 >= AT_STAKE * recorded_ns as f64
        && region.gain.mutex_ns as f64 <= MOST_IN_LOCKS * region.wall_ns as f64
}
