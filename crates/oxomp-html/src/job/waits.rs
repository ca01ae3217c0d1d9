//! Waits for other ranks in MPI's calls.

use maud::{Markup, html};
use oxomp_analysis::ranks::MpiWait;
use oxomp_analysis::report::job_waits_notes;
use oxomp_analysis::report::units::{count, percent, share};

use super::page::JobPage;
use crate::limits::Limits;
use crate::tables::{Cell, Column, Row, table};

const COLUMNS: [Column; 8] = [
    Column::text("function"),
    Column::text("in region").dropped(1),
    Column::text("for"),
    Column::number("calls", "calls").dropped(2),
    Column::number("wait of all", "mpi-waiting"),
    Column::number("longest", "").dropped(1),
    Column::text("most in").dropped(2),
    Column::text("late"),
];

/// The part of the section on MPI; nothing without events of MPI.
pub(super) fn part(page: &JobPage<'_>) -> Markup {
    let Some(waits) = &page.job.waits else { return html! {} };
    let shown = &waits.rows[..waits.rows.len().min(Limits::default().rows)];
    let rows = shown.iter().map(|row| Row { cells: cells(page, row), detail: None });
    html! {
        h3 { "Waits for other ranks" }
        @if shown.is_empty() {
            p.empty { "No rank waited for another one." }
        } @else {
            p.lead {
                "The part of the time in MPI's calls before the rank that was late began its own \
                 call. The rest is transfer."
            }
            (table("Waits for other ranks", &COLUMNS, rows.collect()))
        }
        @for note in job_waits_notes(waits) { p.note { (note) } }
    }
}

fn cells(page: &JobPage<'_>, row: &MpiWait) -> Vec<Cell> {
    let function = page.shown(&row.function);
    let region = row.region.as_ref().map(|place| page.columns(Some(place)).1);
    let late = percent(share(row.late_ns, row.wait_ns));
    vec![
        Cell::markup(html! { code { (function) } }, function.clone()),
        Cell::text(region.unwrap_or_default()),
        Cell::text(row.cause.name().to_owned()),
        Cell::number(count(row.calls), row.calls as f64),
        Cell::time(row.wait_ns),
        Cell::time(row.longest_ns),
        Cell::text(page.name_at(row.waiting)),
        Cell::text(format!("{} {late}", page.name_at(row.late))),
    ]
}
