//! The regions of all processes, and MPI's functions.

use maud::{Markup, html};
use oxomp_analysis::ranks::{JobRegion, MpiCall, MpiSums};
use oxomp_analysis::report::units::{bytes, count, percent, plural};
use oxomp_analysis::report::{job_bounds_hold, mpi_title};

use super::page::JobPage;
use super::waits;
use crate::limits::Limits;
use crate::tables::{Cell, Column, Row, table};

fn region_columns(page: &JobPage<'_>) -> [Column; 7] {
    let gain = if job_bounds_hold(page.job) { "gain ≤ of all" } else { "lost by all" };
    [
        Column::text("region"),
        Column::number("processes", "").dropped(2),
        Column::number("calls", "calls").dropped(1),
        Column::number("wall of all", ""),
        Column::number("longest", ""),
        Column::text("in").dropped(1),
        Column::number(gain, "gain").dropped(1),
    ]
}

const MPI: [Column; 8] = [
    Column::text("function"),
    Column::number("calls", "calls").dropped(1),
    Column::number("longest", "").dropped(2),
    Column::number("bytes", "").dropped(1),
    Column::number("mean", ""),
    Column::number("most", ""),
    Column::text("in"),
    Column::number("waiting", "mpi-waiting").dropped(1),
];

pub(super) fn regions(page: &JobPage<'_>) -> Markup {
    let regions = &page.job.regions;
    let shown = &regions[..regions.len().min(Limits::default().rows)];
    let rows = shown.iter().map(|region| Row { cells: cells(page, region), detail: None });
    html! {
        section #regions aria-labelledby="regions-title" {
            h2 #regions-title { "Regions of all processes" }
            @if shown.is_empty() {
                p.empty { "No parallel region was recorded." }
            } @else {
                p.lead { "By time. A region in which one process takes far longer is uneven work." }
                (table("Regions", &region_columns(page), rows.collect()))
                @if shown.len() < regions.len() {
                    p.note { "and " (plural((regions.len() - shown.len()) as u64, "region")) }
                }
            }
        }
    }
}

fn cells(page: &JobPage<'_>, region: &JobRegion) -> Vec<Cell> {
    let (function, place) = page.columns(region.place.as_ref());
    vec![
        Cell::markup(
            html! {
                span.place { (place) }
                @if !function.is_empty() { span.function { (function) } }
            },
            format!("{place} {function}"),
        ),
        Cell::number(count(region.processes as u64), region.processes as f64),
        Cell::number(count(region.calls), region.calls as f64),
        Cell::time(region.wall_ns),
        Cell::time(region.max_ns),
        Cell::text(page.name_at(region.slowest)),
        Cell::time(region.gain_ns),
    ]
}

/// What is known of the calls, if they were timed.
fn known(call: &MpiCall, cell: impl Fn(&MpiSums) -> Cell) -> Cell {
    call.sums.as_ref().map_or_else(|| Cell::text(String::new()), cell)
}

/// The efficiencies of POP's model, if they are known.
fn efficiencies(page: &JobPage<'_>) -> Markup {
    const COLUMNS: [Column; 4] = [
        Column::text("level"),
        Column::number("parallel efficiency", ""),
        Column::number("load balance", ""),
        Column::number("communication", ""),
    ];
    let Some(pop) = &page.job.pop else { return html! {} };
    let rows = pop.levels().map(|(level, it)| {
        let number = |value: f64| Cell::number(format!("{value:.2}"), value);
        let numbers = [it.parallel, it.load_balance, it.communication].map(number);
        Row {
            cells: [Cell::text(level.to_owned())].into_iter().chain(numbers).collect(),
            detail: None,
        }
    });
    html! {
        p.lead {
            "Efficiencies by POP's hybrid multiplicative model: hybrid is MPI × OpenMP, and each \
             parallel efficiency is load balance × communication."
        }
        (table("Efficiencies", &COLUMNS, rows.into_iter().collect()))
        @if let Some(split) = pop.mpi_split {
            p.note {
                "MPI's communication is serialisation " (format!("{:.2}", split.serialisation))
                " (waits for other ranks) × transfer " (format!("{:.2}", split.transfer))
                " (all other time in MPI)."
            }
        }
    }
}

pub(super) fn mpi(page: &JobPage<'_>) -> Markup {
    let calls = &page.job.mpi;
    let shown = &calls[..calls.len().min(Limits::default().rows)];
    let row = |call: &MpiCall| Row {
        cells: vec![
            Cell::markup(html! { code { (page.shown(&call.name)) } }, page.shown(&call.name)),
            known(call, |sums| Cell::number(count(sums.calls), sums.calls as f64)),
            known(call, |sums| Cell::time(sums.longest_ns)),
            known(call, |sums| Cell::number(bytes(sums.bytes), sums.bytes as f64)),
            Cell::number(percent(call.share), call.share),
            Cell::number(percent(call.largest_share), call.largest_share),
            Cell::text(page.name_at(call.largest_in)),
            call.wait_ns.map_or_else(|| Cell::text(String::new()), Cell::time),
        ],
        detail: None,
    };
    html! {
        section #mpi aria-labelledby="mpi-title" {
            h2 #mpi-title { "MPI's calls" }
            (efficiencies(page))
            @if shown.is_empty() {
                p.empty { "No call of MPI was timed, and no sample fell into MPI's functions." }
            } @else {
                p.lead { (mpi_title(page.job)) "." }
                (table("MPI", &MPI, shown.iter().map(row).collect()))
            }
            (waits::part(page))
        }
    }
}
