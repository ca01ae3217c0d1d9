//! Who waits for whom, and what to try for the whole job.

use oxomp_text::{Page, glued};

use super::certainty::{doubt, error_ns, job_bounds_hold, threads};
use super::names::{many, process_name};
use super::notes::JobNotes;
use super::regions::phrase;
use crate::ranks::{Brief, Job, RankImbalance};
use crate::report::certainty::Advice;
use crate::report::units::{percent, plural, share, time};
use crate::summary::Class;

/// The most pieces of advice.
const SHOWN: usize = 3;
/// Part of the wall time that must be at stake.
const AT_STAKE: f64 = 0.02;

/// The changes to try first for a whole job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobAdvice {
    /// A remark on processes and processors, which comes before all others.
    pub processors: Option<String>,
    /// Why the gains say little; `None` if they are upper bounds.
    pub doubt: Option<String>,
    /// By gain, largest first: upper bounds, or with a doubt estimates.
    pub changes: Vec<Advice>,
}

/// The changes to try first for `job`; `commands` are those of [`JobNotes::commands`].
#[must_use]
pub fn job_advice(job: &Job, commands: &[String]) -> JobAdvice {
    let mut advices: Vec<Advice> =
        [imbalance(job), mpi(job), openmp(job, commands)].into_iter().flatten().collect();
    advices.retain(|advice| share(advice.gain_ns, job.wall_ns()) >= AT_STAKE);
    advices.sort_by_cached_key(|advice| std::cmp::Reverse(advice.gain_ns));
    advices.truncate(SHOWN);
    let are_bounds = job_bounds_hold(job);
    for advice in &mut advices {
        advice.error_ns = (!are_bounds).then(|| error_ns(job, advice.gain_ns));
    }
    JobAdvice {
        processors: bound(job).or_else(|| oversubscribed(job)),
        doubt: (!advices.is_empty() && !are_bounds).then(|| doubt(job)),
        changes: advices,
    }
}

/// Why the time in MPI is not known.
pub const UNKNOWN_MPI: &str = "The samples tell no time in MPI (there are none, or none in MPI_… \
                               functions): waiting there is time outside of regions.";

/// How evenly the ranks of `job` compute, in a sentence; `None` for fewer than two ranks.
#[must_use]
pub fn job_balance(job: &Job) -> Option<String> {
    let imbalance = job.imbalance.as_ref()?;
    let what = if imbalance.without_mpi { "computes" } else { "is in regions" };
    let balance = share(imbalance.mean_ns, imbalance.max_ns);
    let mut text = format!(
        "Balance between ranks {balance:.2}: {} {what} longest, {}; {} shortest, {}; mean {}",
        process_name(&job.processes[imbalance.slowest]),
        time(imbalance.max_ns),
        process_name(&job.processes[imbalance.fastest]),
        time(imbalance.min_ns),
        time(imbalance.mean_ns)
    );
    if let Some(part) = job.mpi_share().filter(|_| imbalance.without_mpi) {
        text.push_str(&format!("; in MPI {} of the time", percent(part)));
    }
    Some(text)
}

pub(super) fn write_between(page: &mut Page, job: &Job) {
    let Some(text) = job_balance(job) else { return };
    page.paragraph(&text, 2);
    if job.imbalance.as_ref().is_some_and(|imbalance| !imbalance.without_mpi) {
        page.aside(UNKNOWN_MPI, 2);
    }
}

pub(super) fn write(page: &mut Page, job: &Job, notes: &JobNotes) {
    let JobAdvice { processors, doubt, changes } = job_advice(job, &notes.commands);
    if changes.is_empty() && processors.is_none() {
        return;
    }
    page.heading(&match &doubt {
        Some(doubt) => format!("Try first ({doubt})"),
        None if changes.is_empty() => "Try first".to_owned(),
        None => "Try first (gains are upper bounds)".to_owned(),
    });
    if let Some(hint) = processors {
        page.paragraph(&format!("  - {hint}"), 4);
    }
    for (number, advice) in changes.iter().enumerate() {
        let gain = glued(&advice.gain(job.wall_ns()));
        // A number would be a rank.
        let mark = if doubt.is_some() { "-".to_owned() } else { (number + 1).to_string() };
        page.paragraph(&format!("  {mark} {}: {gain}", advice.text), 4);
    }
}

/// The others wait for the slowest rank.
fn imbalance(job: &Job) -> Option<Advice> {
    let imbalance = job.imbalance.as_ref()?;
    let gain_ns = imbalance.max_ns.saturating_sub(imbalance.mean_ns);
    let slowest = &job.processes[imbalance.slowest];
    if !imbalance.without_mpi && !others_wait(job, imbalance) {
        return None;
    }
    let what = if imbalance.without_mpi { "computes" } else { "is in parallel regions" };
    let part = percent(share(gain_ns, imbalance.mean_ns));
    let mut text = format!(
        "{} {what} {part} longer than the mean ({} against {})",
        process_name(slowest),
        time(imbalance.max_ns),
        time(imbalance.mean_ns)
    );
    if let Some(farthest) = imbalance.region {
        let at = phrase(&job.regions[farthest.region]);
        text.push_str(&format!(", most in {at}"));
        // Times of regions include those without a processor, the others do not.
        if farthest.slowest_ns <= imbalance.max_ns {
            let (slowest, mean) = (time(farthest.slowest_ns), time(farthest.mean_ns));
            text.push_str(&format!(" ({slowest} against {mean})"));
        }
    }
    let wait = if imbalance.without_mpi { "wait for it in MPI" } else { "seem to wait for it" };
    text.push_str(&format!("; the others {wait}: give it less work, or more threads"));
    Some(Advice { gain_ns, error_ns: None, text })
}

/// Without samples: whether the ranks end together although they are in regions for different
/// times, so that the ranks with less time in regions wait outside of them for the rest.
fn others_wait(job: &Job, imbalance: &RankImbalance) -> bool {
    let (slowest, fastest) = (&job.processes[imbalance.slowest], &job.processes[imbalance.fastest]);
    let spread = imbalance.max_ns.saturating_sub(fastest.compute_ns(false));
    let elsewhere = |one: &Brief| one.recorded_ns.saturating_sub(one.in_regions_ns);
    elsewhere(fastest) >= elsewhere(slowest) + spread / 2
}

/// Part of a process's life as the launcher wants it: no message can be saved there.
const LIFE: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"];

/// What communication takes beyond the waiting for the slowest rank. `None` where processors lack:
/// a rank may then wait for a rank without a processor.
fn mpi(job: &Job) -> Option<Advice> {
    let imbalance = job.imbalance.as_ref().filter(|imbalance| imbalance.without_mpi)?;
    if !job.oversubscribed.is_empty() {
        return None;
    }
    let number = job.processes.len().max(1) as u64;
    let mean = job.processes.iter().map(|one| one.recorded_ns).sum::<u64>() / number;
    let calls = || job.mpi.iter().filter(|call| !LIFE.contains(&call.name.as_str()));
    let part: f64 = calls().map(|call| call.share).sum();
    let in_mpi = (part * mean as f64) as u64;
    let gain_ns = in_mpi.saturating_sub(imbalance.max_ns.saturating_sub(imbalance.mean_ns));
    let names: Vec<String> =
        calls().take(2).map(|call| format!("{} {}", call.name, percent(call.share))).collect();
    let text = format!(
        "{} of the time is in MPI ({}), more than the waiting for the slowest rank explains: \
         larger and fewer messages, non-blocking calls over computation, fewer ranks with more \
         threads",
        percent(part),
        names.join(", ")
    );
    Some(Advice { gain_ns, error_ns: None, text })
}

/// What is lost inside the ranks: the report of one of them says where.
fn openmp(job: &Job, commands: &[String]) -> Option<Advice> {
    const CLASSES: [Class; 8] = [
        Class::Imbalance,
        Class::Barrier,
        Class::Mutex,
        Class::Taskwait,
        Class::Starved,
        Class::Dispatch,
        Class::ForkJoin,
        Class::SerialIdle,
    ];
    let class = CLASSES.into_iter().max_by_key(|class| job.class_ns(*class))?;
    let gain_ns = job.class_ns(class) / threads(job);
    let total = job.processes.iter().map(|one| one.total_ns).sum();
    // Idle beside serial code: MPI is part of that code, and not to be run in parallel.
    let mpi: u64 = job.processes.iter().filter_map(Brief::mpi_ns).sum();
    let is_serial = class == Class::SerialIdle;
    if is_serial && (job.has_ranks() && job.mpi.is_empty() || 2 * mpi > outside(job)) {
        return None;
    }
    let (position, worst) = job
        .processes
        .iter()
        .enumerate()
        .max_by_key(|(position, one)| (one.class_ns(class), usize::MAX - position))?;
    let mut text = format!(
        "inside the processes, {} takes {} of the threads' time, most in {}",
        class.name(),
        percent(share(job.class_ns(class), total)),
        process_name(worst)
    );
    if let Some(first) = &worst.first {
        // The place, and what to do there.
        text.push_str(&format!(", where to try first: {}", first.replacen("  ", ": ", 1)));
    }
    if let Some(command) = commands.get(position) {
        text.push_str(&format!("; `{command}` says where"));
    }
    Some(Advice { gain_ns, error_ns: None, text })
}

fn outside(job: &Job) -> u64 {
    job.processes.iter().map(|one| one.outside_ns).sum()
}

/// Launchers bind each rank to a core unless they are told otherwise.
fn bound(job: &Job) -> Option<String> {
    if !job.has_ranks() {
        return None;
    }
    let bound: Vec<&Brief> =
        job.processes.iter().filter(|one| one.max_team > one.allowed_cpus).collect();
    let one = bound.first().filter(|_| 2 * bound.len() > job.processes.len())?;
    let threads = one.max_team;
    Some(format!(
        "{} of {} may use {} and {} {}: let the launcher give each rank a processor for each \
         thread (`mpirun --map-by slot:PE={threads}`, `srun --cpus-per-task={threads}`), or start \
         fewer threads (OMP_NUM_THREADS)",
        bound.len(),
        plural(job.processes.len() as u64, "recording"),
        plural(one.allowed_cpus.into(), "processor"),
        if bound.len() == 1 { "has" } else { "have" },
        plural(threads.into(), "thread"),
    ))
}

fn oversubscribed(job: &Job) -> Option<String> {
    let worst = job.oversubscribed.iter().max_by_key(|one| one.lost_ns)?;
    let on_it: u64 = job
        .processes
        .iter()
        .filter(|one| one.hostname == worst.hostname)
        .map(|one| one.total_ns)
        .sum();
    Some(format!(
        "on {}, {} of {} run at a time, threads lack a processor for {} of their time, and no \
         process may use more than {}: start fewer processes or threads there",
        worst.hostname,
        plural(worst.threads, "thread"),
        many(worst.processes),
        percent(share(worst.lost_ns, on_it)),
        plural(worst.allowed_cpus.into(), "processor"),
    ))
}
