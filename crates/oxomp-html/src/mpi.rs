//! Calls of MPI in one process.

use maud::{Markup, html};
use oxomp_analysis::report::units::{bytes, count, percent, plural, share};
use oxomp_analysis::summary::MpiCalls;

use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

const COLUMNS: [Column; 8] = [
    Column::text("function"),
    Column::text("kind").dropped(2),
    Column::text("in region").dropped(1),
    Column::number("calls", "calls"),
    Column::number("time", ""),
    Column::number("of wall", "").dropped(1),
    Column::number("longest", "").dropped(1),
    Column::number("bytes", "").dropped(1),
];

/// The section; nothing for a process without calls of MPI that were timed.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let calls = &view.summary.mpi;
    if calls.is_empty() {
        return html! {};
    }
    let shown = &calls[..calls.len().min(view.limits.rows)];
    let rows = shown.iter().map(|row| Row { cells: cells(view, row), detail: None });
    html! {
        section #mpi aria-labelledby="mpi-title" {
            h2 #mpi-title { "MPI's calls" }
            p.lead {
                "By function and region, all threads together, by time. Which part of it was waiting \
                 for other ranks, the page of the whole job tells."
            }
            (table("MPI", &COLUMNS, rows.collect()))
            @if shown.len() < calls.len() {
                p.note { "and " (plural((calls.len() - shown.len()) as u64, "row")) }
            }
        }
    }
}

fn cells(view: &View<'_>, row: &MpiCalls) -> Vec<Cell> {
    let function = view.shown(&row.function);
    let part = share(row.time_ns, view.summary.header.recorded_ns);
    let size = if row.bytes == 0 { String::new() } else { bytes(row.bytes) };
    vec![
        Cell::markup(html! { code { (function) } }, function.clone()),
        Cell::text(row.kind.name().to_owned()),
        Cell::text(row.region.map(|site| view.place(Some(site))).unwrap_or_default()),
        Cell::number(count(row.calls), row.calls as f64),
        Cell::time(row.time_ns),
        Cell::number(percent(part), part),
        Cell::time(row.longest_ns),
        Cell::number(size, row.bytes as f64),
    ]
}
