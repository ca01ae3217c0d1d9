//! The advice as JSON, version 1: an object with `version`, `command`, `wall_ns`, `threads`,
//! `processors`, `recording_ns` (what recording took the threads; `null` if it is not known),
//! `regions`, `cut_offs` and `teams`. Times are nanoseconds; each prediction has its `error_ns`.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::SiteId;
use serde::Serialize;

use crate::advice::Advice;
use crate::predict::{self, RegionAdvice};
use crate::report::change;
use crate::tasks;
use crate::teams::TeamPrediction;

/// The version of the document.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    command: &'a [String],
    wall_ns: u64,
    threads: u32,
    processors: u32,
    recording_ns: Option<u64>,
    regions: Vec<Region>,
    cut_offs: Vec<CutOff>,
    teams: Vec<Team>,
}

#[derive(Serialize)]
struct Region {
    place: Option<String>,
    calls: u64,
    threads: u32,
    wall_ns: u64,
    miss_ns: i64,
    loops: Vec<Loop>,
}

#[derive(Serialize)]
struct Loop {
    place: Option<String>,
    schedule: String,
    iterations: u64,
    executions: u64,
    replayed_ns: i64,
    coarse: bool,
    depends_on_thread: bool,
    alternatives: Vec<Alternative>,
}

#[derive(Serialize)]
struct Alternative {
    schedule: String,
    /// What to write for it.
    write: String,
    region: Predicted,
    gain_ns: i64,
}

#[derive(Serialize)]
struct CutOff {
    place: Option<String>,
    tasks: u64,
    short: u64,
    grain_ns: i64,
    region: Predicted,
    gain_ns: i64,
}

#[derive(Serialize)]
struct Team {
    threads: u32,
    now: Predicted,
    advised: Predicted,
}

#[derive(Serialize)]
struct Predicted {
    ns: i64,
    error_ns: i64,
}

/// The advice on `analysis` as one line of JSON.
#[must_use]
pub fn json(analysis: &Analysis, advice: &Advice) -> String {
    let (header, quality) = (&analysis.summary.header, &analysis.summary.quality);
    let document = Document {
        version: VERSION,
        command: &header.command,
        wall_ns: header.wall_ns,
        threads: header.max_team,
        processors: header.allowed_cpus,
        recording_ns: (!quality.recording.is_empty()).then(|| quality.recording_ns()),
        regions: advice.regions.iter().map(|one| Region::new(analysis, one)).collect(),
        cut_offs: advice.cut_offs.iter().map(|one| CutOff::new(analysis, one)).collect(),
        teams: advice.teams.iter().map(Team::new).collect(),
    };
    // Strings and numbers, which cannot fail.
    serde_json::to_string(&document).expect("a document of strings and numbers") + "\n"
}

impl Region {
    fn new(analysis: &Analysis, one: &RegionAdvice) -> Self {
        let region = &analysis.summary.regions[one.index];
        Self {
            place: place(analysis, one.site),
            calls: region.calls,
            threads: region.team.1,
            wall_ns: region.wall_ns,
            miss_ns: whole(one.miss_ns),
            loops: one.loops.iter().map(|one| Loop::new(analysis, one)).collect(),
        }
    }
}

impl Loop {
    fn new(analysis: &Analysis, one: &predict::LoopAdvice) -> Self {
        let alternatives = one.alternatives.iter().map(|other| Alternative {
            schedule: other.schedule.text(),
            write: change(analysis, one, other.schedule),
            region: Predicted::new(other.region),
            gain_ns: whole(other.gain_ns),
        });
        Self {
            place: place(analysis, analysis.summary.loops[one.index].site),
            schedule: one.now.text(),
            iterations: analysis.costs[one.index].count,
            executions: analysis.costs[one.index].rounds,
            replayed_ns: whole(one.replayed_ns),
            coarse: one.is_coarse,
            depends_on_thread: one.disagreement.is_some(),
            alternatives: alternatives.collect(),
        }
    }
}

impl CutOff {
    fn new(analysis: &Analysis, one: &tasks::CutOff) -> Self {
        Self {
            place: place(analysis, one.site),
            tasks: one.count,
            short: one.short,
            grain_ns: whole(one.grain_ns),
            region: Predicted::new(one.region_time),
            gain_ns: whole(one.gain_ns),
        }
    }
}

impl Team {
    fn new(one: &TeamPrediction) -> Self {
        Self {
            threads: one.threads,
            now: Predicted::new(one.now),
            advised: Predicted::new(one.advised),
        }
    }
}

impl Predicted {
    fn new(one: predict::Predicted) -> Self {
        Self { ns: whole(one.ns), error_ns: whole(one.error_ns) }
    }
}

/// Whole nanoseconds.
fn whole(ns: f64) -> i64 {
    ns.round() as i64
}

fn place(analysis: &Analysis, site: Option<SiteId>) -> Option<String> {
    let place = analysis.places.get(site?.0 as usize)?;
    Some(place.short())
}

#[cfg(test)]
mod tests {
    use super::{Predicted, Team, whole};

    #[test]
    fn times_are_whole_nanoseconds() {
        assert_eq!((whole(1.5), whole(-2.4), whole(f64::NAN)), (2, -2, 0));
        let team = Team {
            threads: 4,
            now: Predicted { ns: 12, error_ns: 3 },
            advised: Predicted { ns: 10, error_ns: 3 },
        };
        assert_eq!(
            serde_json::to_string(&team).unwrap(),
            r#"{"threads":4,"now":{"ns":12,"error_ns":3},"advised":{"ns":10,"error_ns":3}}"#
        );
    }
}
