//! Where user code blocked.

use maud::{Markup, html};
use oxomp_analysis::report::distances::awaited;
use oxomp_analysis::report::line_name;
use oxomp_analysis::report::units::{count, time};

use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

const COLUMNS: [Column; 5] = [
    Column::text("waits in"),
    Column::text("for"),
    Column::text("region"),
    Column::number("samples", "").dropped(1),
    Column::number("time", ""),
];

/// The section; nothing if no thread blocked.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let all = &view.summary.blocked;
    if all.is_empty() {
        return html! {};
    }
    let shown = &all[..all.len().min(view.limits.rows)];
    let rows = shown.iter().map(|one| {
        let region = one.region.map_or_else(|| "serial".to_owned(), |site| view.place(Some(site)));
        let line = one.line.as_ref().map(line_name);
        let what = awaited(&one.distances).unwrap_or_else(|| one.cause.name().to_owned());
        Row {
            cells: vec![
                Cell::markup(
                    html! {
                        code { (view.shown(&one.function)) }
                        @if let Some(line) = &line { " " (view.shown(line)) }
                        span.function { (view.shown(&one.path.join(" > "))) }
                    },
                    one.function.clone(),
                ),
                Cell::markup(html! { (what) }, what.clone()),
                Cell::markup(html! { code { (region) } }, region.clone()),
                Cell::number(count(one.samples), one.samples as f64),
                Cell::number(time(one.time_ns), one.time_ns as f64),
            ],
            detail: None,
        }
    });
    html! {
        section #blocked aria-labelledby="blocked-title" {
            h2 #blocked-title { "Blocked" }
            p.lead {
                "Threads that neither computed nor lacked a processor: what they waited for, and \
                 where. Waits for other iterations (ordered with sink) are here, too, though the \
                 runtime may spend a processor on them: their time counts with the locks."
            }
            (table("Blocked", &COLUMNS, rows.collect()))
            @if shown.len() < all.len() { p.note { "and " (all.len() - shown.len()) " more" } }
        }
    }
}
