//! Serial code: stretches in which one thread works.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, time};
use oxomp_analysis::report::{gain_title, hot_code_of};

use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

fn columns(view: &View<'_>) -> [Column; 6] {
    [
        Column::text("stretch"),
        Column::number("count", "").dropped(1),
        Column::number("total", ""),
        Column::number("longest", "").dropped(1),
        Column::number("waiting ≥", "serialwait").dropped(1),
        Column::number(gain_title(view.summary), "gain"),
    ]
}

pub(crate) fn section(view: &View<'_>) -> Markup {
    let stretches = &view.summary.serial;
    let shown = &stretches[..stretches.len().min(view.limits.rows)];
    let rows = shown.iter().map(|stretch| {
        let from =
            stretch.after.map_or_else(|| "the start".to_owned(), |site| view.place(Some(site)));
        let to = stretch.before.map_or_else(|| "the end".to_owned(), |site| view.place(Some(site)));
        Row {
            cells: vec![
                Cell::markup(
                    html! {
                        "from " (end(&from, stretch.after.is_some()))
                        " to " (end(&to, stretch.before.is_some()))
                        @if let Some(hot) = hot_code_of(view.summary, stretch) {
                            span.function { "hot: " (view.shown(&hot)) }
                        }
                    },
                    format!("{from} {to}"),
                ),
                Cell::number(count(stretch.count), stretch.count as f64),
                Cell::number(time(stretch.total_ns), stretch.total_ns as f64),
                Cell::number(time(stretch.max_ns), stretch.max_ns as f64),
                Cell::number(time(stretch.waited_ns), stretch.waited_ns as f64),
                Cell::number(time(stretch.gain_ns), stretch.gain_ns as f64),
            ],
            detail: None,
        }
    });
    if shown.is_empty() {
        return html! {};
    }
    html! {
        section #serial aria-labelledby="serial-title" {
            h2 #serial-title { "Serial code" }
            p.lead { "One thread works, the others wait for the next region." }
            (table("Serial code", &columns(view), rows.collect()))
            @if shown.len() < stretches.len() {
                p.note { "and " (stretches.len() - shown.len()) " more" }
            }
        }
    }
}

/// An end of a stretch: a place, or words.
fn end(words: &str, is_place: bool) -> Markup {
    html! { @if is_place { code { (words) } } @else { (words) } }
}
