//! What the processes of a job have in common.

use super::names::{command, many};
use crate::ranks::Job;
use crate::report::units::plural;

/// The head of a job's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobHeader {
    /// The command line, or how many different ones there are.
    pub command: String,
    /// How many processes there are, and where.
    pub processes: String,
    /// How many threads each process has.
    pub threads: String,
    /// The different runtimes, in their own words.
    pub runtimes: Vec<String>,
    /// CPU time of all processes, ns, where it is known.
    pub cpu_ns: Option<u64>,
}

impl JobHeader {
    /// The head of `job`.
    #[must_use]
    pub fn new(job: &Job) -> Self {
        let programs = distinct(job.processes.iter().map(command));
        let hosts = distinct(job.processes.iter().map(|one| one.hostname.clone()));
        let least = job.processes.iter().map(|one| one.threads).min().unwrap_or(0);
        let most = job.processes.iter().map(|one| one.threads).max().unwrap_or(0);
        Self {
            command: match programs.as_slice() {
                [only] => only.clone(),
                several => plural(several.len() as u64, "command line"),
            },
            processes: match hosts.as_slice() {
                [only] => format!("{} on {only}", processes(job)),
                several => {
                    format!("{} on {}", processes(job), plural(several.len() as u64, "machine"))
                }
            },
            threads: if least == most {
                format!("{} each", plural(most.into(), "thread"))
            } else {
                format!("{least} to {most} threads")
            },
            runtimes: distinct(job.processes.iter().map(|one| one.runtime.trim().to_owned())),
            cpu_ns: job.processes.iter().map(|one| one.cpu_ns).sum(),
        }
    }
}

/// The different ones of `texts`, in order.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// `4 ranks`, `3 of 4 ranks`, `5 processes`, `4 ranks and 2 processes without a rank`.
fn processes(job: &Job) -> String {
    let alone = job.processes.iter().filter(|one| one.rank.is_none()).count() as u64;
    let mut ranks: Vec<u32> =
        job.processes.iter().filter_map(|one| Some(one.rank.as_ref()?.number)).collect();
    ranks.dedup();
    let number = ranks.len() as u64;
    if number == 0 {
        return many(alone);
    }
    let mut text = match job.size {
        Some(size) if u64::from(size) > number => {
            format!("{number} of {}", plural(size.into(), "rank"))
        }
        _ => plural(number, "rank"),
    };
    if alone > 0 {
        text.push_str(&format!(" and {} without a rank", many(alone)));
    }
    text
}
