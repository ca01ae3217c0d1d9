//! Regions with fewer threads than the program has and the processors can run.

use super::blocked;
use super::certainty::{Advice, Cause};
use super::directives::{is_of_region, named};
use super::names::Names;
use super::spare_threads::{possible, spare_of};
use super::units::plural;
use crate::summary::{Directive, Region, Summary};

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
