//! Several recordings of one run as text: where each process's time went, who waited for whom, and
//! what to try.

use oxomp_text::{Page, Style};

use super::header::{COMMAND_WIDTH, write_parts};
use super::scope::scope_name;
use super::table::cut_end;
use super::units::{percent, share, time};
use crate::ranks::{Brief, Job};

mod advice;
mod certainty;
mod header;
mod names;
mod notes;
mod pop;
mod regions;
mod table;
mod targets;
mod waits;

pub use advice::{JobAdvice, UNKNOWN_MPI, job_advice, job_balance};
pub use certainty::job_bounds_hold;
pub use header::JobHeader;
pub use names::{process_name, rank_list};
pub use notes::JobNotes;
pub use regions::mpi_title;
pub use waits::job_waits_notes;

use names::list;

/// The text of `job`.
#[must_use]
pub fn render_job(job: &Job, notes: &JobNotes, style: Style) -> String {
    let mut page = Page::new(style);
    write_header(&mut page, job, notes);
    write_warnings(&mut page, job, notes);
    table::write(&mut page, job);
    if let Some(text) = job_recording(job) {
        page.paragraph(&text, 2);
    }
    advice::write_between(&mut page, job);
    pop::write(&mut page, job);
    regions::write_mpi(&mut page, job);
    waits::write(&mut page, job);
    regions::write(&mut page, job);
    targets::write(&mut page, job);
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
    let header = JobHeader::new(job);
    let mut parts = vec![
        format!("oxomp {}", notes.version).trim_end().to_owned(),
        cut_end(&header.command, COMMAND_WIDTH),
        header.processes,
        header.threads,
    ];
    parts.extend(header.runtimes.iter().map(|runtime| format!("runtime {runtime}")));
    write_parts(page, &parts);
    let wall = time(job.wall_ns());
    let mut parts = match scope_name(&notes.scope) {
        Some(name) => vec![name, format!("under way {wall} (the longest)")],
        None => vec![format!("wall {wall} (the longest)")],
    };
    parts.extend(header.cpu_ns.map(|cpu| format!("CPU {}", time(cpu))));
    write_parts(page, &parts);
}

/// What recording took of the threads' time, and in which process most; `None` if it is not known
/// of one of them.
#[must_use]
pub fn job_recording(job: &Job) -> Option<String> {
    let all = job.recording_ns()?;
    let total = job.processes.iter().fold(0_u64, |sum, one| sum.saturating_add(one.total_ns));
    let part = |one: &Brief| share(one.recording_ns.unwrap_or(0), one.total_ns);
    let most = job.processes.iter().max_by(|one, other| part(one).total_cmp(&part(other)))?;
    let (name, most) = (process_name(most), percent(part(most)));
    Some(format!(
        "About {} of the threads' time went to recording ({}), most in {name} ({most}).",
        percent(share(all, total)),
        time(all)
    ))
}

fn write_warnings(page: &mut Page, job: &Job, notes: &JobNotes) {
    for warning in job_warnings(job, notes) {
        page.warning(&warning);
    }
}

/// What is amiss with the recordings of `job`, in words.
#[must_use]
pub fn job_warnings(job: &Job, notes: &JobNotes) -> Vec<String> {
    let mut warnings = Vec::new();
    if job.mixed {
        let what = "the recordings come from several jobs, and are compared as if of one";
        warnings.push(what.to_owned());
    }
    if !job.missing.is_empty() {
        warnings.push(format!("no recording of {}", rank_list(&job.missing)));
    }
    let named = |filter: fn(&Brief) -> bool| -> Vec<String> {
        job.processes.iter().filter(|one| filter(one)).map(process_name).collect()
    };
    let truncated = named(|one| one.truncated);
    if !truncated.is_empty() {
        let what =
            "the recording ends before the program's own end (it was killed, or left by _exit)";
        warnings.push(format!("{}: {what}", list(&truncated)));
    }
    let damaged = named(|one| one.damaged);
    let disagree = named(|one| one.disagrees);
    if !disagree.is_empty() {
        let line = "counts of the recording disagree, so that its numbers are wrong";
        warnings.push(format!("{}: {line}", list(&disagree)));
    }
    if !damaged.is_empty() {
        warnings.push(format!("{}: parts of the recording are missing", list(&damaged)));
    }
    warnings.extend(notes.warnings.iter().cloned());
    warnings
}
