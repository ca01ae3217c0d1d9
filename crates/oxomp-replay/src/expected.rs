//! What the replays expect of other schedules, for the summary's first advice.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::ExpectedGain;

use crate::advice::is_replayed;
use crate::predict;
use crate::report::change;

/// The gain of the best other schedule of each loop whose costs `analysis` has, for
/// [`Summary::expected`](oxomp_analysis::summary::Summary::expected); only those that win time.
#[must_use]
pub fn expected_gains(analysis: &Analysis) -> Vec<ExpectedGain> {
    let mut gains = Vec::new();
    for (index, region) in analysis.summary.regions.iter().enumerate() {
        let Some(advice) = is_replayed(region).then(|| predict::advise(analysis, index)).flatten()
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
