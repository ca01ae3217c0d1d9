//! Advice against threads that wait for a processor.

use super::units::{percent, plural, share, time};
use crate::summary::{Class, Summary};

/// Share of all threads' time without a processor that is worth a word.
const WORTH_A_WORD: f64 = 0.05;

/// The share of the threads' time without a processor, if it is worth a word.
fn taken(summary: &Summary) -> Option<f64> {
    let budget = &summary.budget;
    let part = share(budget.class_ns(Class::Scheduler), budget.total_ns);
    (part >= WORTH_A_WORD).then_some(part)
}

/// What else to say of threads that share processors with each other: what they lost.
pub(super) fn among_themselves(summary: &Summary) -> Option<String> {
    taken(summary).map(|part| {
        let ns = summary.budget.class_ns(Class::Scheduler);
        format!("without a processor they were {} ({})", time(ns), percent(part))
    })
}

/// What to do about other programs that took the processors; `None` if the threads did not wait for
/// any, or there are more threads than processors.
pub(super) fn others_ran(summary: &Summary) -> Option<String> {
    let (threads, cpus) = (summary.header.max_team, summary.header.allowed_cpus);
    let part = taken(summary).filter(|_| cpus >= threads)?;
    let ns = summary.budget.class_ns(Class::Scheduler);
    Some(format!(
        "other programs, or other threads of this one, ran on {} for {} ({}) in which its threads \
         had work: repeat the run without them, or leave them a CPU with fewer threads and bind \
         these (OMP_PROC_BIND=true)",
        plural(cpus.into(), "CPU"),
        time(ns),
        percent(part)
    ))
}
