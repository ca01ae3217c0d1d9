//! Regions with fewer threads than the program has and the processors can run.

use super::certainty::{Advice, Cause};
use super::directives::{is_of_region, named};
use super::units::plural;
use super::{Names, blocked};
use crate::summary::{Directive, Region, Summary};

/// The threads that could execute `region`, outside every other one: those of the largest team, as
/// far as there are so many `processors`. `None` if all of them do.
fn possible(region: &Region, summary: &Summary, processors: u32) -> Option<u32> {
    let threads = summary.header.max_team.min(processors);
    // Where regions are inside others, or beside others of another initial thread, which threads
    // are idle beside one is not known.
    let nests = summary.regions.iter().any(|one| one.nested > 0);
    let initial = summary.threads.iter().filter(|thread| thread.initial).count();
    (!nests && initial < 2 && region.team.1 < threads).then_some(threads)
}

/// For how long threads of the largest team idle beside `region`, ns divided by the size of that
/// team; 0 where which threads idle is not known.
#[must_use]
pub fn spare_ns(region: &Region, summary: &Summary) -> u64 {
    possible(region, summary, u32::MAX).map_or(0, |threads| spare_of(region, threads))
}

/// What is won if the work of `region` is divided among so many `threads`, ns of wall time.
fn spare_of(region: &Region, threads: u32) -> u64 {
    let lacking = threads - region.team.1;
    (u128::from(region.wall_ns) * u128::from(lacking) / u128::from(threads)) as u64
}

/// The advice on `region`, if others of the program have larger teams.
pub(super) fn against(region: &Region, summary: &Summary, names: Names<'_>) -> Option<Advice> {
    let processors = Some(summary.header.allowed_cpus).filter(|known| *known > 0);
    let threads = possible(region, summary, processors.unwrap_or(u32::MAX))?;
    let place = named(region.site, summary, names, is_of_region);
    let by = |clause: &str| {
        let directive = summary.directive(region.site, is_of_region);
        directive.and_then(|one: &Directive| one.clause(clause))
    };
    let cause = match (by("num_threads"), by("if")) {
        (Some(clause), _) => format!(" ({clause})"),
        (None, Some(clause)) if region.team.1 == 1 => format!(" ({clause})"),
        _ => String::new(),
    };
    // Threads that wait for the system do not wait less if they are more.
    let waits = match blocked::against(region, summary) {
        Some(_) => region.gain.blocked_ns,
        None => 0,
    };
    let lost_ns = spare_of(region, threads).saturating_sub(waits);
    let text = format!(
        "{place}  a team of {}{cause}, beside which the other {} of the program idle: a larger one \
         if its work can be divided further",
        plural(region.team.1.into(), "thread"),
        threads - region.team.1,
    );
    Some(Cause { lost_ns, ..Cause::default() }.advice(Some(region), summary, text))
}
