//! The constructs for devices of all processes.

use maud::{Markup, html};
use oxomp_analysis::ranks::JobTarget;
use oxomp_analysis::report::units::{bytes, count, plural, time};

use super::page::JobPage;
use crate::limits::Limits;
use crate::tables::{Cell, Column, Row, table};

const COLUMNS: [Column; 9] = [
    Column::text("construct"),
    Column::number("processes", "").dropped(2),
    Column::number("calls", "calls").dropped(1),
    Column::number("time of all", "target-time"),
    Column::number("longest", ""),
    Column::text("in").dropped(1),
    Column::number("kernels", "kernels").dropped(1),
    Column::number("to device", "").dropped(2),
    Column::number("from device", "").dropped(2),
];

/// The section; nothing for processes that used no device.
pub(super) fn section(page: &JobPage<'_>) -> Markup {
    let targets = &page.job.targets;
    if targets.is_empty() {
        return html! {};
    }
    let shown = &targets[..targets.len().min(Limits::default().rows)];
    let rows = shown.iter().map(|target| Row { cells: cells(page, target), detail: None });
    html! {
        section #offload aria-labelledby="offload-title" {
            h2 #offload-title { "Target constructs of all processes" }
            p.lead {
                "By time, whichever devices they were for. A process that takes far longer than the \
                 others has more to compute, or shares its device."
            }
            (table("Target constructs", &COLUMNS, rows.collect()))
            @if shown.len() < targets.len() {
                p.note { "and " (plural((targets.len() - shown.len()) as u64, "target construct")) }
            }
        }
    }
}

fn cells(page: &JobPage<'_>, target: &JobTarget) -> Vec<Cell> {
    let (function, place) = page.columns(target.place.as_ref());
    let kernels = target.kernel_ns.filter(|ns| *ns > 0);
    let size = |number: u64| {
        let text = if number > 0 { bytes(number) } else { String::new() };
        Cell::number(text, number as f64)
    };
    vec![
        Cell::markup(
            html! {
                span.place { (place) }
                span.function {
                    (target.kind.name())
                    @if !function.is_empty() { ", " (function) }
                    @if target.unfinished > 0 { ", " (count(target.unfinished)) " not finished" }
                }
            },
            format!("{place} {function}"),
        ),
        Cell::number(count(target.processes as u64), target.processes as f64),
        Cell::number(count(target.calls), target.calls as f64),
        Cell::time(target.time_ns),
        Cell::time(target.max_ns),
        Cell::text(page.name_at(target.slowest)),
        Cell::number(kernels.map_or_else(String::new, time), kernels.map_or(-1.0, |ns| ns as f64)),
        size(target.to_bytes),
        size(target.from_bytes),
    ]
}
