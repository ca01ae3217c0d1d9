//! The page of several processes side by side: the ranks of a job, or a program and its children.

use maud::{Markup, html};
use oxomp_analysis::report::units::time;
use oxomp_analysis::report::{JobHeader, scope_name};

use crate::date::started;
use crate::definitions;
use crate::definitions::term;
use crate::document::{Frame, JOB_SCRIPT};
use crate::text::{inside_script, shown};

mod page;
mod processes;
mod tables;
mod targets;
mod verdict;
mod waits;

pub use page::JobPage;

/// Characters of the command line.
const COMMAND: usize = 2_000;

/// Ids and names of the sections, in their order.
const SECTIONS: [(&str, &str); 6] = [
    ("verdict", "Verdict"),
    ("processes", "Processes"),
    ("regions", "Regions"),
    ("offload", "Devices"),
    ("mpi", "MPI"),
    ("definitions", "Definitions"),
];

fn head(page: &JobPage<'_>, header: &JobHeader) -> Markup {
    let began = page.job.processes.iter().map(|one| one.started_unix_ns).min().unwrap_or(0);
    html! {
        header.page-head {
            div.brand {
                span.mark { "oxomp" } " profile"
                @if !page.notes.version.is_empty() {
                    span.quiet { " " (page.shown(&page.notes.version)) }
                }
                @if let Some(date) = started(began) { span.quiet { " · " (date) } }
                span.tools data-needs-script="" {
                    button type="button" #copy { "Copy verdict as Markdown" }
                    button type="button" #theme aria-label="light, dark, or as the system" {
                        "Theme: system"
                    }
                }
            }
            h1 { code { (shown(&header.command, COMMAND)) } }
            dl.facts {
                @if let Some(name) = scope_name(&page.notes.scope) {
                    div { dt { "shown" } dd { (page.shown(&name)) } }
                }
                div { dt { "processes" } dd { (page.shown(&header.processes)) } }
                div { dt { "threads" } dd { (header.threads) } }
                div { dt { (term("wall", "wall")) } dd {
                    (time(page.job.wall_ns())) span.quiet { " the longest" }
                } }
                @if let Some(cpu) = header.cpu_ns {
                    div { dt { (term("cpu", "CPU time")) } dd { (time(cpu)) } }
                }
                div.wide { dt { "runtime" } dd {
                    (page.shown(&header.runtimes.join(", ")))
                } }
            }
        }
    }
}

/// The page of `page`. Like [`crate::page`], it needs no network.
#[must_use]
pub fn job_page(page: &JobPage<'_>) -> String {
    let header = JobHeader::new(page.job);
    let verdict = verdict::Verdict::of(page);
    let has_devices = !page.job.targets.is_empty();
    let mut sections = SECTIONS.to_vec();
    sections.retain(|(id, _)| *id != "offload" || has_devices);
    let data = serde_json::json!({ "markdown": verdict.markdown(page, &header) }).to_string();
    Frame {
        program: &page.shown(&header.command),
        head: head(page, &header),
        sections: &sections,
        content: html! {
            (verdict.section(page))
            (processes::section(page))
            (tables::regions(page))
            (targets::section(page))
            (tables::mpi(page))
            (definitions::section(has_devices, false))
        },
        data: &inside_script(&data),
        script: JOB_SCRIPT,
    }
    .render()
}
