//! Advice on what to try first: only changes that the numbers support, each with an upper bound of
//! its gain, or an estimate with an error.

use super::certainty::{AT_STAKE, Advice, Cause, doubt};
use super::directives::{is_of_tasks, named};
use super::names::Names;
use super::units::share;
use super::{loops, offload, resend, scheduler, smaller_team, tasks};
use crate::summary::Summary;
use oxomp_text::{Page, glued};

mod barriers;
mod many;
mod mutexes;
mod oversubscribed;
mod regions;
mod stretches;

/// The most pieces of advice.
const SHOWN: usize = 3;
/// The changes to try first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TryFirst {
    /// A remark on the number of threads and processors, which comes before all others.
    pub processors: Option<String>,
    /// Why the gains, and their order, say little; `None` if they are firm.
    pub doubt: Option<String>,
    /// By gain, largest first.
    pub advices: Vec<Advice>,
}

/// The changes to try first in the program of `summary`.
#[must_use]
pub fn try_first(summary: &Summary, names: Names<'_>) -> TryFirst {
    let wall = summary.header.recorded_ns;
    let mut advices: Vec<Advice> = Vec::new();
    let mut of_calls = many::Calls::default();
    for region in &summary.regions {
        advices.extend(regions::advices(region, summary, names, &mut of_calls));
    }
    advices.extend(
        summary
            .loops
            .iter()
            .enumerate()
            .filter_map(|(index, one)| loops::against_dispatch(index, one, summary, names)),
    );
    advices.extend(summary.tasks.iter().filter_map(|one| {
        let (cause, text) = tasks::against_small(one, summary)?;
        let place = named(tasks::site(one, summary), summary, names, is_of_tasks);
        let region = summary.regions.iter().find(|region| region.site == one.region);
        Some(cause.advice(region, summary, format!("{place}  {text}")))
    }));
    let devices = resend::advices(summary, names).into_iter();
    let devices = devices.chain(offload::advices(summary, names));
    let waiting = |lost_ns| Cause { lost_ns, ..Cause::default() };
    advices.extend(devices.map(|(gain_ns, text)| waiting(gain_ns).advice(None, summary, text)));
    advices.extend(summary.mutexes.iter().map(|mutex| mutexes::advice(mutex, summary, names)));
    advices.extend(stretches::advices(summary, names));
    let regions = summary.regions.iter();
    advices.extend(regions.filter_map(|region| smaller_team::against(region, summary, names)));
    advices.retain(|advice| share(advice.gain_ns, wall) >= AT_STAKE);
    advices.extend(many::advices(summary, &of_calls, &advices));
    advices.sort_by_cached_key(|advice| std::cmp::Reverse(advice.gain_ns));
    // One prediction may answer two causes, imbalance and handing out: it is one change.
    advices.dedup_by(|other, one| {
        one.error_ns.is_some() && (one.gain_ns, one.error_ns) == (other.gain_ns, other.error_ns)
    });
    advices.truncate(SHOWN);

    let processors = oversubscribed::advice(summary)
        .map(|text| match scheduler::among_themselves(summary) {
            Some(loss) => format!("{text}; {loss}"),
            None => text,
        })
        .or_else(|| scheduler::others_ran(summary));
    TryFirst { processors, doubt: doubt(summary, &advices), advices }
}

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let wall = summary.header.recorded_ns;
    let TryFirst { processors, doubt, advices } = try_first(summary, names);
    if advices.is_empty() && processors.is_none() {
        return;
    }
    let estimates = advices.iter().filter(|advice| advice.error_ns.is_some()).count();
    page.heading(&match &doubt {
        Some(doubt) => format!("Try first ({doubt})"),
        None if advices.is_empty() => "Try first".to_owned(),
        None if estimates == 0 => "Try first (gains are upper bounds)".to_owned(),
        None if estimates == advices.len() => "Try first (gains are estimates)".to_owned(),
        None => "Try first (a gain with ± is an estimate, the others are upper bounds)".to_owned(),
    });
    if let Some(text) = processors {
        page.paragraph(&format!("  - {text}"), 4);
    }
    for (number, advice) in advices.iter().enumerate() {
        let gain = glued(&advice.gain(wall));
        // A number would be a rank.
        let mark = if doubt.is_some() { "-".to_owned() } else { (number + 1).to_string() };
        page.paragraph(&format!("  {mark} {}: {gain}", advice.text), 4);
    }
}
