//! How well the gains of a whole job are known.

use crate::ranks::{Brief, Job};
use crate::report::certainty::have_processors;
use crate::report::units::{percent, share};
use crate::summary::Class;

/// Whether lost time is an upper bound of what a change wins: every thread of every process had a
/// processor.
#[must_use]
pub fn job_bounds_hold(job: &Job) -> bool {
    let lacked = |one: &Brief| share(one.class_ns(Class::Scheduler), one.total_ns);
    let mut processes = job.processes.iter();
    processes.all(|one| have_processors((one.threads, one.allowed_cpus), lacked(one)))
}

pub(super) fn doubt(job: &Job) -> String {
    let total = job.processes.iter().fold(0_u64, |sum, one| sum.saturating_add(one.total_ns));
    let part = percent(share(job.class_ns(Class::Scheduler), total));
    format!("threads lacked a processor for {part} of the time: these gains are not firm")
}

/// By how much an estimated gain may be wrong, ns: by the time for which threads lacked a
/// processor, and by half of what goes together with the cause, as for a single process.
pub(super) fn error_ns(job: &Job, gain_ns: u64) -> u64 {
    let total = job.processes.iter().fold(0_u64, |sum, one| sum.saturating_add(one.total_ns));
    let lacking = share(job.class_ns(Class::Scheduler), total).min(1.0) * job.wall_ns() as f64;
    let beside = job.class_ns(Class::Barrier).saturating_add(job.class_ns(Class::ForkJoin));
    let beside = (beside / threads(job)).min(gain_ns) as f64;
    lacking.hypot(beside / 2.0) as u64
}

/// The threads of all processes, at least 1.
pub(super) fn threads(job: &Job) -> u64 {
    job.processes.iter().map(|one| u64::from(one.threads)).sum::<u64>().max(1)
}
