//! The phases that the program marked.

use maud::{Markup, html};
use oxomp_analysis::report::OUTSIDE_PHASES;
use oxomp_analysis::report::units::{count, percent, share};
use oxomp_analysis::summary::{Class, PhaseSums, most_lost, work_share};

use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

const COLUMNS: [Column; 7] = [
    Column::text("phase"),
    Column::number("times", "").dropped(1),
    Column::number("time", ""),
    Column::number("of wall", "").dropped(1),
    Column::number("longest", "").dropped(2),
    Column::number("threads work", "threads-work"),
    Column::text("mostly lost to"),
];

/// The section; nothing if the program marked no phase.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let phases = &view.summary.phases;
    if phases.is_empty() {
        return html! {};
    }
    let shown = &phases[..phases.len().min(view.limits.rows)];
    html! {
        section #phases aria-labelledby="phases-title" {
            h2 #phases-title { "Phases" }
            p.lead {
                "Parts of the run that the program has marked, each with the phases inside it. "
                code { "oxomp report --phase NAME" } " shows one alone."
            }
            (table("Phases", &COLUMNS, shown.iter().map(|one| row(view, one)).collect()))
            @if shown.len() < phases.len() { p.note { "and " (phases.len() - shown.len()) " more" } }
        }
    }
}

fn row(view: &View<'_>, one: &PhaseSums) -> Row {
    let of_wall = share(one.wall_ns, view.summary.header.wall_ns);
    let outside = one.path.is_empty();
    let name = if outside { OUTSIDE_PHASES.to_owned() } else { view.shown(&one.path) };
    let work = work_share(&one.by_class);
    let most = most_lost(&one.by_class);
    let lost = most.map(|(class, share)| format!("{class} {}", percent(share)));
    let begins = if outside { String::new() } else { count(one.count) };
    Row {
        cells: vec![
            Cell::text(name),
            Cell::number(begins, one.count as f64),
            Cell::time(one.wall_ns),
            Cell::number(percent(of_wall), of_wall),
            one.longest_ns.map_or_else(|| Cell::number(String::new(), 0.0), Cell::time),
            Cell::number(percent(work), work),
            Cell::text(lost.unwrap_or_default()).of_class(most.map(|it| it.0).map(Class::key)),
        ],
        detail: None,
    }
}
