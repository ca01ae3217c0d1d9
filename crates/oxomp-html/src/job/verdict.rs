//! The verdict on several processes: how evenly they compute, and what to try for all of them.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, share, time};
use oxomp_analysis::report::{
    JobAdvice, JobHeader, UNKNOWN_MPI, job_advice, job_balance, job_recording, job_warnings,
    process_name,
};

use super::page::JobPage;
use super::processes;
use crate::advice::{item, warning_list};
use crate::text::escaped;

/// The verdict before it has a form.
#[derive(Debug)]
pub(super) struct Verdict {
    headline: String,
    sentences: Vec<String>,
    warnings: Vec<String>,
    first: JobAdvice,
}

impl Verdict {
    pub(super) fn of(page: &JobPage<'_>) -> Self {
        let job = page.job;
        let mut first = job_advice(job, &page.notes.commands);
        first.processors = first.processors.map(|text| page.shown(&text));
        for advice in &mut first.changes {
            advice.text = page.shown(&advice.text);
        }
        let mut sentences: Vec<String> =
            job_balance(job).map(|text| text + ".").into_iter().collect();
        if job.imbalance.as_ref().is_some_and(|imbalance| !imbalance.without_mpi) {
            sentences.push(UNKNOWN_MPI.to_owned());
        }
        Self {
            headline: headline(page),
            sentences,
            warnings: job_warnings(job, page.notes).iter().map(|text| page.shown(text)).collect(),
            first,
        }
    }

    pub(super) fn section(&self, page: &JobPage<'_>) -> Markup {
        let (changes, whole) = (&self.first.changes, page.job.wall_ns());
        let most = changes.first().map_or(0, |advice| advice.gain_ns);
        let items = html! { @for advice in changes {
            (item(&advice.text, ("gain ≤", advice.gain_ns), advice.error_ns, most, whole))
        } };
        html! {
            section #verdict aria-labelledby="verdict-title" {
                h2.headline #verdict-title { (self.headline) }
                (warning_list(&self.warnings))
                @if !self.sentences.is_empty() { p.lead { (self.sentences.join(" ")) } }
                h3 { "Try first" }
                @if let Some(text) = &self.first.processors { p.remark { (text) } }
                @if let Some(text) = &self.first.doubt { p.remark { (text) } }
                @if changes.is_empty() {
                    p.empty { "No single change is known that could win 2 % of the run." }
                } @else if self.first.doubt.is_some() {
                    // A number would be a rank.
                    ul.advice { (items) }
                } @else {
                    ol.advice { (items) }
                }
            }
        }
    }

    /// The verdict as Markdown, with the times of the processes.
    pub(super) fn markdown(&self, page: &JobPage<'_>, header: &JobHeader) -> String {
        let command = page.shown(&header.command).replace('`', "'");
        let mut text = format!("## `{command}`, {}\n\n", escaped(&page.shown(&header.processes)));
        text.push_str(&format!("**{}**", escaped(&self.headline)));
        for sentence in &self.sentences {
            text.push_str(&format!(" {}", escaped(sentence)));
        }
        text.push_str("\n\n");
        for warning in &self.warnings {
            text.push_str(&format!("> Warning: {}\n\n", escaped(warning)));
        }
        if let Some(remark) = &self.first.processors {
            text.push_str(&format!("- {}\n", escaped(remark)));
        }
        if let Some(doubt) = &self.first.doubt {
            text.push_str(&format!("- {}\n", escaped(doubt)));
        }
        for (number, advice) in self.first.changes.iter().enumerate() {
            let mark = match self.first.doubt {
                Some(_) => "-".to_owned(),
                None => format!("{}.", number + 1),
            };
            let gain = advice.gain(page.job.wall_ns());
            text.push_str(&format!("{mark} {}: {gain}\n", escaped(&advice.text)));
        }
        if let Some(recording) = job_recording(page.job) {
            text.push_str(&format!("\n{}\n", escaped(&recording)));
        }
        text.push_str("\n| process | wall | work | in regions |\n|---|---:|---:|---:|\n");
        for one in processes::listed(page.job).0 {
            text.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                process_name(one),
                time(one.wall_ns),
                percent(share(one.work_ns(), one.total_ns)),
                time(one.in_regions_ns)
            ));
        }
        text
    }
}

fn headline(page: &JobPage<'_>) -> String {
    let processes = &page.job.processes;
    let work = processes.iter().map(|one| one.work_ns()).sum();
    let total = processes.iter().map(|one| one.total_ns).sum();
    let what = if page.job.has_ranks() { "ranks" } else { "processes" };
    let part = percent(share(work, total));
    let which = if processes.iter().any(|one| one.is_mpi_unknown()) {
        "work in regions; how much of the rest was serial work, and not MPI, is unknown"
    } else {
        "work, in regions or serial"
    };
    format!("{part} of the time of all {what}' threads was {which}.")
}
