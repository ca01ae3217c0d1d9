//! Memory that threads share: cache lines, atomic updates, and variables for which threads wait.
//! Their time counts as work, so that no class of time has it.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, percent, share};
use oxomp_analysis::report::{
    ATOMICS_TITLE, SHARED_LINES_TITLE, SPINS_TITLE, atomic_update_place, shared_lines_meeting,
    shared_lines_places, spin_loop_place,
};
use oxomp_analysis::summary::SiteId;

use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

/// The columns of a table whose rows are of this kind, and whose samples have this definition.
fn columns(kind: &'static str, term: &'static str) -> [Column; 4] {
    [
        Column::text(kind),
        Column::text("region").dropped(1),
        Column::number("samples", "").dropped(1),
        Column::number("of region", term),
    ]
}

/// The section; nothing if samples found no such memory.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let summary = view.summary;
    let lines = summary.shared_lines.iter().map(|one| {
        let place = view.shown(&shared_lines_places(&one.places));
        let meeting = view.shown(&shared_lines_meeting(one));
        row(view, (&place, &meeting), one.region, (one.samples, one.of))
    });
    let atomics = summary.atomics.iter().map(|one| {
        let place = view.shown(&atomic_update_place(one));
        row(view, (&place, &view.shown(&one.function)), one.region, (one.samples, one.of))
    });
    let spins = summary.spins.iter().map(|one| {
        let place = view.shown(&spin_loop_place(one));
        row(view, (&place, ""), one.region, (one.samples, one.of))
    });
    let parts = [
        (SHARED_LINES_TITLE, "Shared lines", columns("used at", "of-lines"), lines.collect()),
        (ATOMICS_TITLE, "Atomic updates", columns("update", "of-atomics"), atomics.collect()),
        (SPINS_TITLE, "Waiting loops", columns("loop", "of-spins"), spins.collect::<Vec<_>>()),
    ];
    if parts.iter().all(|(.., rows)| rows.is_empty()) {
        return html! {};
    }
    html! {
        section #memory aria-labelledby="memory-title" {
            h2 #memory-title { "Memory that threads share" }
            p.lead {
                "Where threads of a region meet in memory, by samples of processor time. It counts \
                 as work: nothing tells how much of it is waiting."
            }
            @for (title, name, columns, rows) in parts {
                (part(view, title, (name, &columns), rows))
            }
        }
    }
}

/// A table under its title; nothing without rows.
fn part(view: &View<'_>, title: &str, of: (&str, &[Column]), mut rows: Vec<Row>) -> Markup {
    let more = rows.len().saturating_sub(view.limits.rows);
    rows.truncate(view.limits.rows);
    html! {
        @if !rows.is_empty() {
            h3 { (title) }
            (table(of.0, of.1, rows))
            @if more > 0 { p.note { "and " (more) " more" } }
        }
    }
}

/// A row for a place with what is to be said of it, whose samples are a part `of` a region's.
fn row(
    view: &View<'_>,
    (place, words): (&str, &str),
    region: Option<SiteId>,
    (samples, of): (u64, u64),
) -> Row {
    let region = view.place(region);
    let part = share(samples, of);
    Row {
        cells: vec![
            Cell::markup(
                html! { span.place { (place) } @if !words.is_empty() { span.function { (words) } } },
                format!("{place} {words}"),
            ),
            Cell::markup(html! { code { (region) } }, region.clone()),
            Cell::number(count(samples), samples as f64),
            Cell::number(percent(part), part),
        ],
        detail: None,
    }
}
