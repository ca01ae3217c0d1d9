//! Several recordings of one run as text: where each process's time went, who waited for whom, and
//! what to try.

use oxomp_text::{Page, Style};

use super::header::{COMMAND_WIDTH, write_parts};
use super::table::cut_end;
use super::units::{plural, time};
use crate::ranks::{Brief, Job};

mod advice;
mod regions;
mod table;

pub use advice::{JobAdvice, job_advice};

/// Facts about a job beyond its recordings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobNotes {
    /// The version of the program that prints.
    pub version: String,
    /// What is amiss with the recordings: damaged ones, ranks that have not ended.
    pub warnings: Vec<String>,
    /// How to see one process: the command's words for each process, in [`Job::processes`]' order;
    /// without it, nothing is said of that.
    pub commands: Vec<String>,
    /// Last lines: where the data lies.
    pub data: Vec<String>,
}

/// The text of `job`.
#[must_use]
pub fn render_job(job: &Job, notes: &JobNotes, style: Style) -> String {
    let mut page = Page::new(style);
    write_header(&mut page, job, notes);
    write_warnings(&mut page, job, notes);
    table::write(&mut page, job);
    advice::write_between(&mut page, job);
    regions::write_mpi(&mut page, job);
    regions::write(&mut page, job);
    advice::write(&mut page, job, notes);
    if !notes.data.is_empty() {
        page.line("");
        for line in &notes.data {
            page.paragraph(line, 2);
        }
    }
    page.finish()
}

fn write_header(page: &mut Page, job: &Job, notes: &JobNotes) {
    let mut programs: Vec<String> = job.processes.iter().map(command).collect();
    programs.sort();
    programs.dedup();
    let mut hosts: Vec<&str> = job.processes.iter().map(|one| one.hostname.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let least = job.processes.iter().map(|one| one.threads).min().unwrap_or(0);
    let most = job.processes.iter().map(|one| one.threads).max().unwrap_or(0);
    let threads = if least == most {
        format!("{} each", plural(most.into(), "thread"))
    } else {
        format!("{least} to {most} threads")
    };
    let mut parts = vec![
        format!("oxomp {}", notes.version).trim_end().to_owned(),
        match programs.as_slice() {
            [only] => cut_end(only, COMMAND_WIDTH),
            several => plural(several.len() as u64, "command line"),
        },
        match hosts.as_slice() {
            [only] => format!("{} on {only}", processes(job)),
            several => {
                format!("{} on {}", processes(job), plural(several.len() as u64, "machine"))
            }
        },
        threads,
    ];
    let mut runtimes: Vec<&str> = job.processes.iter().map(|one| one.runtime.trim()).collect();
    runtimes.sort_unstable();
    runtimes.dedup();
    parts.extend(runtimes.iter().map(|runtime| format!("runtime {runtime}")));
    write_parts(page, &parts);
    let mut parts = vec![format!("wall {} (the longest)", time(job.wall_ns()))];
    let cpu: Option<u64> = job.processes.iter().map(|one| one.cpu_ns).sum();
    parts.extend(cpu.map(|cpu| format!("CPU {}", time(cpu))));
    write_parts(page, &parts);
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

fn many(number: u64) -> String {
    if number == 1 { "1 process".to_owned() } else { format!("{number} processes") }
}

fn write_warnings(page: &mut Page, job: &Job, notes: &JobNotes) {
    if job.mixed {
        page.warning("the recordings come from several jobs, and are compared as if of one");
    }
    if !job.missing.is_empty() {
        page.warning(&format!("no recording of {}", rank_list(&job.missing)));
    }
    let named = |filter: fn(&Brief) -> bool| -> Vec<String> {
        job.processes.iter().filter(|one| filter(one)).map(name).collect()
    };
    let truncated = named(|one| one.truncated);
    if !truncated.is_empty() {
        let what =
            "the recording ends before the program's own end (it was killed, or left by _exit)";
        page.warning(&format!("{}: {what}", list(&truncated)));
    }
    let damaged = named(|one| one.damaged);
    if !damaged.is_empty() {
        page.warning(&format!("{}: parts of the recording are missing", list(&damaged)));
    }
    for warning in &notes.warnings {
        page.warning(warning);
    }
}

/// Names in a list; the others are counted.
const LISTED: usize = 8;

fn list(names: &[String]) -> String {
    let mut text = names[..names.len().min(LISTED)].join(", ");
    if names.len() > LISTED {
        text.push_str(&format!(" and {} more", names.len() - LISTED));
    }
    text
}

/// `rank 3`, `ranks 2, 5 to 9, 12`.
#[must_use]
pub fn rank_list(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .flat_map(|(first, last)| match last - first {
            0 => vec![first.to_string()],
            1 => vec![first.to_string(), last.to_string()],
            _ => vec![format!("{first} to {last}")],
        })
        .collect();
    format!("rank{} {}", if ranks.len() == 1 { "" } else { "s" }, list(&runs))
}

/// `rank 3`, or `process 4711`.
fn name(process: &Brief) -> String {
    match &process.rank {
        Some(rank) => format!("rank {}", rank.number),
        None => format!("process {}", process.pid),
    }
}

fn command(process: &Brief) -> String {
    let command = process.command.join(" ");
    command.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
