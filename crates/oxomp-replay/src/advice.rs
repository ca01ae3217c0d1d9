//! The advice on a recording.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::Region;

use crate::predict::{self, RegionAdvice};
use crate::tasks::{self, CutOff};
use crate::teams::{self, TeamPrediction};

/// Everything that the replays of a recording say.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// Regions with loops, by what is won, most first.
    pub regions: Vec<RegionAdvice>,
    /// Cut-offs of tasks.
    pub cut_offs: Vec<CutOff>,
    /// The run with other numbers of threads, by their number.
    pub teams: Vec<TeamPrediction>,
}

impl Advice {
    /// The advice on a recording; `threads` is one more number of threads that is of interest.
    #[must_use]
    pub fn new(analysis: &Analysis, threads: Option<u32>) -> Self {
        let summary = &analysis.summary;
        let mut regions: Vec<RegionAdvice> = (0..summary.regions.len())
            .filter(|&index| is_replayed(&summary.regions[index]))
            .filter_map(|index| predict::advise(analysis, index))
            .collect();
        regions.sort_by(|a, b| b.best_gain().total_cmp(&a.best_gain()));
        let mut numbers = vec![1, summary.header.max_team];
        let cpus = summary.header.allowed_cpus.max(1);
        numbers.extend((1..12).map(|power| 1 << power).take_while(|&number| number < cpus));
        numbers.extend([cpus, 2 * cpus]);
        numbers.extend(threads);
        numbers.sort_unstable();
        numbers.dedup();
        let teams = if summary.regions.is_empty() {
            Vec::new()
        } else {
            numbers.into_iter().map(|number| teams::predict(analysis, &regions, number)).collect()
        };
        Self { regions, cut_offs: tasks::cut_offs(summary), teams }
    }
}

/// Whether `region` is replayed: it has a team, and is not always inside another region.
pub(crate) fn is_replayed(region: &Region) -> bool {
    region.nested < region.calls && region.team.1 > 1
}
