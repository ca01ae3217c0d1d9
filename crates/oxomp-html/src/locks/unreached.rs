//! Barriers at which threads of a team waited for ever.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, time};
use oxomp_analysis::summary::Unreached;

use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

const COLUMNS: [Column; 5] = [
    Column::text("barrier"),
    Column::text("region").dropped(1),
    Column::number("waiting", "unreached-waiting"),
    Column::number("wait", "wait"),
    Column::number("ended", "unreached-ended"),
];

/// The barriers that not all threads of a team had reached when the recording ended; nothing
/// without any.
pub(super) fn part(view: &View<'_>) -> Markup {
    let all = &view.summary.unreached;
    let shown = all.len().min(view.limits.rows);
    html! {
        @if !all.is_empty() {
            h3 { "Barriers never reached" }
            p.lead {
                "When the recording ended, threads still waited here for others of their team. Each \
                 thread of a team has to reach its barriers, the last one of which is the region's end."
            }
            (table("Unreached", &COLUMNS, all[..shown].iter().map(|one| row(view, one)).collect()))
            @if shown < all.len() { p.note { "and " (all.len() - shown) " more" } }
        }
    }
}

fn row(view: &View<'_>, one: &Unreached) -> Row {
    let (function, place) = view.columns(one.site.or(one.region));
    let region = view.place(one.region);
    let kind = if one.site.is_some() { "barrier" } else { "end of region" };
    Row {
        cells: vec![
            Cell::markup(
                html! {
                    span.place { (place) }
                    span.function { (kind) @if !function.is_empty() { ", " (function) } }
                },
                format!("{place} {function}"),
            ),
            Cell::markup(html! { code { (region) } }, region.clone()),
            Cell::number(count(one.waiting.into()), one.waiting.into()),
            Cell::number(time(one.time_ns), one.time_ns as f64),
            Cell::number(count(one.ended.into()), one.ended.into()),
        ],
        detail: None,
    }
}
