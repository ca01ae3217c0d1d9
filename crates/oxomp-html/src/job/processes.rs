//! Where the time of each process went: a bar and a row each.

use maud::{Markup, html};
use oxomp_analysis::ranks::{Brief, Job, most_lost};
use oxomp_analysis::report::units::{percent, plural, share, time};
use oxomp_analysis::report::{job_recording, process_name};
use oxomp_analysis::summary::Class;

use super::page::JobPage;
use crate::chart::{legend, single, stacked};
use crate::kinds::Kind;
use crate::tables::{Cell, Column, Row, table};

/// Processes that have a row; of more, half of the rows are of those that compute longest, half of
/// those that compute shortest.
const ROWS: usize = 256;

const COLUMNS: [Column; 10] = [
    Column::text("process"),
    Column::text("machine").dropped(2),
    Column::number("wall", "wall"),
    Column::number("CPU", "cpu").dropped(1),
    Column::number("threads", "").dropped(2),
    Column::number("work", ""),
    Column::number("in regions", "").dropped(1),
    Column::number("MPI", "mpi").dropped(1),
    Column::number("computing", "computing"),
    Column::text("lost most to").dropped(2),
];

/// The processes that have rows, in the job's order, and whether those are all.
pub(super) fn listed(job: &Job) -> (Vec<&Brief>, bool) {
    let mut positions: Vec<usize> = (0..job.processes.len()).collect();
    let all = positions.len() <= ROWS;
    if !all {
        positions.sort_by_key(|&at| job.processes[at].compute_ns(is_mpi_known(job)));
        positions.drain(ROWS / 2..positions.len() - ROWS / 2);
        positions.sort_unstable();
    }
    (positions.into_iter().map(|at| &job.processes[at]).collect(), all)
}

fn is_mpi_known(job: &Job) -> bool {
    job.imbalance.as_ref().is_some_and(|imbalance| imbalance.without_mpi)
}

pub(super) fn section(page: &JobPage<'_>) -> Markup {
    let (shown, all) = listed(page.job);
    let longest = shown.iter().map(|one| one.total_ns).max().unwrap_or(0);
    let kinds: Vec<Kind> = kinds()
        .filter(|(_, class)| shown.iter().any(|one| one.class_ns(*class) > 0))
        .map(|(kind, _)| kind)
        .collect();
    let rows = shown.iter().map(|one| Row { cells: cells(page, one), detail: None });
    html! {
        section #processes aria-labelledby="processes-title" {
            h2 #processes-title { "Where the processes' time went" }
            p.lead { "All threads' time of each process, and the part of it that was work." }
            div.threads { @for one in &shown {
                @let work = percent(share(one.work_ns(), one.total_ns));
                @let label = format!("{}: {work} of work", process_name(one));
                div.thread {
                    span.name { (process_name(one)) }
                    (stacked(&parts(one), longest, &label))
                    span.n { (work) }
                }
            } }
            (legend(&kinds))
            (table("Processes", &COLUMNS, rows.collect()))
            @if let Some(text) = job_recording(page.job) { p.note { (text) } }
            @if !all {
                p.note {
                    "Of " (plural(page.job.processes.len() as u64, "recording"))
                    ", those that compute longest and shortest have rows."
                }
            }
        }
    }
}

fn cells(page: &JobPage<'_>, one: &Brief) -> Vec<Cell> {
    let known = is_mpi_known(page.job);
    let mpi = one.mpi_ns().filter(|_| known);
    let computing = one.compute_ns(known);
    let longest = page.job.processes.iter().map(|one| one.compute_ns(known)).max().unwrap_or(0);
    let name = process_name(one);
    let position = page.job.processes.iter().position(|other| std::ptr::eq(other, one));
    let own = position.and_then(|at| page.pages.get(at)).filter(|own| !own.is_empty());
    // Ranks sort by number, not by the digits of their names.
    let key = one.rank.as_ref().map_or(one.pid, |rank| rank.number);
    vec![
        Cell::markup(
            html! {
                @if let Some(own) = own { a href={ "./" (encoded(own)) } { (name) } }
                @else { (name) }
            },
            format!("{key:010}"),
        ),
        Cell::text(page.shown(&one.hostname)),
        Cell::time(one.wall_ns),
        one.cpu_ns.map_or_else(|| Cell::number(String::new(), -1.0), Cell::time),
        Cell::number(one.threads.to_string(), f64::from(one.threads)),
        Cell::number(
            percent(share(one.work_ns(), one.total_ns)),
            share(one.work_ns(), one.total_ns),
        ),
        Cell::time(one.in_regions_ns),
        mpi.map_or_else(|| Cell::number(String::new(), -1.0), Cell::time),
        Cell::markup(
            html! { (time(computing)) (single(share(computing, longest), "accent")) },
            computing.to_string(),
        ),
        Cell::text(lost(one)),
    ]
}

fn lost(one: &Brief) -> String {
    most_lost(&one.by_class).map_or_else(String::new, |class| {
        format!("{} {}", class.name(), percent(share(one.class_ns(class), one.total_ns)))
    })
}

fn kinds() -> impl Iterator<Item = (Kind, Class)> {
    Kind::ORDER.into_iter().filter_map(|kind| {
        Class::ALL.into_iter().find(|class| Kind::of(*class) == kind).map(|class| (kind, class))
    })
}

fn parts(one: &Brief) -> Vec<(Kind, u64)> {
    kinds().map(|(kind, class)| (kind, one.class_ns(class))).collect()
}

/// A file name as a part of an address.
fn encoded(name: &str) -> String {
    let mut address = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address
}
