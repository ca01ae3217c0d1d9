//! Counters of processor and kernel, by place.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, percent};
use oxomp_analysis::report::{
    COUNTERS_TITLE, OTHER_COUNTERS_TITLE, byte_rate, counted_activity, counted_per_second,
    counted_place, counter_sentences, counters_have_ratios, other_counters,
};
use oxomp_analysis::summary::{CountedPlace, Counters};

use crate::tables::{Cell, Column, Row, table};
use crate::text::shown;
use crate::view::View;

/// The section; nothing if the recording was asked for no counters.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let Some(counters) = &view.summary.counters else { return html! {} };
    let others: Vec<Row> = other_counters(counters)
        .flat_map(|name| counters.places.iter().map(move |place| (name, place)))
        .filter_map(|(name, place)| other(view, name, place))
        .collect();
    html! {
        section #counters aria-labelledby="counters-title" {
            h2 #counters-title { "Counters" }
            p.lead {
                "What threads counted, by what they did when they read their counters: with each \
                 sample of processor time."
            }
            @if counters_have_ratios(counters) {
                h3 { (COUNTERS_TITLE) }
                (table("Counters", &COLUMNS, places(view, counters)))
            }
            @if !others.is_empty() {
                h3 { (OTHER_COUNTERS_TITLE) }
                (table("Other counters", &OTHERS, others))
            }
            @for sentence in counter_sentences(counters, view.names) {
                p.note { (shown(&sentence, SENTENCE)) }
            }
        }
    }
}

/// The most characters of a sentence, which names a place and counters.
const SENTENCE: usize = 1000;

const COLUMNS: [Column; 10] = [
    Column::text("place"),
    Column::text("activity").dropped(1),
    Column::number("CPU time", ""),
    Column::number("instructions", "").dropped(2),
    Column::number("IPC", "ipc"),
    Column::number("misses", "cache-misses").dropped(2),
    Column::number("memory", "memory-rate"),
    Column::number("of limit", "memory-limit").dropped(1),
    Column::number("remote", "remote-lines").dropped(2),
    Column::number("mixed", "mixed").dropped(2),
];

const OTHERS: [Column; 5] = [
    Column::text("counter"),
    Column::text("place"),
    Column::text("activity").dropped(1),
    Column::number("count", ""),
    Column::number("per second", "").dropped(2),
];

fn places(view: &View<'_>, counters: &Counters) -> Vec<Row> {
    let row = |place: &CountedPlace| {
        let unknown = || Cell::number(String::new(), -1.0);
        let number = |value: Option<f64>, text: &dyn Fn(f64) -> String| {
            value.map_or_else(unknown, |value| Cell::number(text(value), value))
        };
        let instructions = place.count("instructions");
        let rate = place.bytes_per_second;
        Row {
            cells: vec![
                name(view, place),
                Cell::text(counted_activity(place)),
                Cell::time(place.time_ns),
                instructions.map_or_else(unknown, |it| Cell::number(count(it), it as f64)),
                number(place.instructions_per_cycle, &|ipc| format!("{ipc:.2}")),
                number(place.cache_miss_rate, &percent),
                rate.map_or_else(unknown, |it| Cell::number(byte_rate(it), it as f64)),
                number(place.bandwidth_part, &percent),
                number(place.remote_part, &percent),
                Cell::number(percent(place.mixed), place.mixed),
            ],
            detail: None,
        }
    };
    counters.places.iter().take(view.limits.rows).map(row).collect()
}

/// The row of a counter in a place where it counted something.
fn other(view: &View<'_>, counter: &str, place: &CountedPlace) -> Option<Row> {
    let number = place.count(counter).filter(|number| *number > 0)?;
    let per_second = counted_per_second(number, place.time_ns);
    Some(Row {
        cells: vec![
            Cell::text(view.shown(counter)),
            name(view, place),
            Cell::text(counted_activity(place)),
            Cell::number(count(number), number as f64),
            Cell::number(per_second, number as f64 / place.time_ns.max(1) as f64),
        ],
        detail: None,
    })
}

fn name(view: &View<'_>, place: &CountedPlace) -> Cell {
    let name = view.shown(&counted_place(place, view.names));
    Cell::markup(html! { span.place { (name) } }, name.clone())
}
