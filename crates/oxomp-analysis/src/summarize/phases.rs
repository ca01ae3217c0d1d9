//! The phases of a profile, each with what the threads did in it.

use oxomp_trace::Profile;
use oxomp_trace::phases::OUTSIDE;

use super::summarize;
use crate::summary::PhaseSums;

/// The phases by path, the time outside of them at the end; empty if the program marked none.
pub(super) fn phases(profile: &Profile) -> Vec<PhaseSums> {
    let Some(phases) = &profile.phases else { return Vec::new() };
    let clock = profile.clock();
    let run = (profile.header.start_tick, profile.last_tick());
    let row = |path: &str, count: u64, longest: Option<u64>, age_ns: u64| {
        let view = profile.sums_of_phase(path)?;
        Some(PhaseSums {
            path: path.to_owned(),
            count,
            wall_ns: clock.span(phases.ticks_of(path, run)) + age_ns,
            longest_ns: longest.map(|ticks| clock.span(ticks)),
            by_class: summarize(&view).budget.by_class,
        })
    };
    let mut rows: Vec<PhaseSums> = phases
        .phases
        .iter()
        .filter(|phase| phase.count > 0)
        .filter_map(|phase| {
            row(&phase.path, phase.count, Some(phase.longest).filter(|ticks| *ticks > 0), 0)
        })
        .collect();
    rows.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
    // The process may be older than its recording.
    rows.extend(row(OUTSIDE, 0, None, profile.info.age_ns).filter(|outside| outside.wall_ns > 0));
    rows
}
