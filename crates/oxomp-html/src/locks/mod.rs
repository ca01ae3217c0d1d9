//! Locks and criticals, with who waited and who held, and barriers inside regions.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, percent, share, time};
use oxomp_analysis::report::{failed_lock_tests, gain_title};
use oxomp_analysis::summary::{Barrier, Mutex};

use crate::chart::single;
use crate::definitions::term;
use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

mod unreached;

fn mutex_columns(view: &View<'_>) -> [Column; 7] {
    [
        Column::text("waited at"),
        Column::text("kind").dropped(1),
        Column::number("acquired", "").dropped(1),
        Column::number("contended", "contended").dropped(2),
        Column::number("wait", "lock-wait"),
        Column::number("longest", "").dropped(2),
        Column::number(gain_title(view.summary), "gain"),
    ]
}

const BARRIER_COLUMNS: [Column; 6] = [
    Column::text("barrier"),
    Column::number("passes", "passes").dropped(1),
    Column::number("wait", "wait"),
    Column::number("imbalance", "k-imbalance").dropped(1),
    Column::number("few tasks", "k-starved").dropped(2),
    Column::number("own cost", "k-barrier").dropped(1),
];

pub(crate) fn section(view: &View<'_>) -> Markup {
    let (mutexes, barriers) = (&view.summary.mutexes, &view.summary.barriers);
    let shown = mutexes.len().min(view.limits.rows);
    let shown_barriers = barriers.len().min(view.limits.rows);
    if mutexes.is_empty() && barriers.is_empty() && view.summary.unreached.is_empty() {
        return html! {};
    }
    html! {
        section #locks aria-labelledby="locks-title" {
            h2 #locks-title { "Locks and barriers" }
            @if !mutexes.is_empty() {
                h3 { "Locks, criticals, ordered, atomic" }
                p.lead {
                    "By the place that waited, all threads together. "
                    span data-needs-script="" { "A click opens who held the lock meanwhile." }
                }
                (table("Locks", &mutex_columns(view), mutexes[..shown].iter().map(|mutex| mutex_row(view, mutex)).collect()))
                @if shown < mutexes.len() { p.note { "and " (mutexes.len() - shown) " more" } }
            }
            @if !barriers.is_empty() {
                h3 { "Barriers inside regions" }
                p.lead { "Those that end regions are in the regions' gains." }
                (table("Barriers", &BARRIER_COLUMNS, barriers[..shown_barriers].iter().map(|barrier| barrier_row(view, barrier)).collect()))
                @if shown_barriers < barriers.len() { p.note { "and " (barriers.len() - shown_barriers) " more" } }
            }
            (unreached::part(view))
        }
    }
}

fn mutex_row(view: &View<'_>, mutex: &Mutex) -> Row {
    let (function, place) = view.columns(mutex.site);
    let contended = share(mutex.contended, mutex.acquisitions);
    Row {
        cells: vec![
            Cell::markup(
                html! { span.place { (place) } @if !function.is_empty() { span.function { (function) } } },
                format!("{place} {function}"),
            ),
            Cell::text(mutex.kind.name()),
            Cell::number(count(mutex.acquisitions), mutex.acquisitions as f64),
            Cell::number(percent(contended), contended),
            Cell::number(time(mutex.lost_ns()), mutex.lost_ns() as f64),
            Cell::number(time(mutex.max_wait_ns), mutex.max_wait_ns as f64),
            Cell::number(time(mutex.gain_ns), mutex.gain_ns as f64),
        ],
        detail: Some(holders(view, mutex)),
    }
}

/// The holds that fell into the waits.
fn holders(view: &View<'_>, mutex: &Mutex) -> Markup {
    let row = |name: Markup, ns: u64, colour: &str| {
        html! {
            div.gain-row {
                span.name { (name) }
                (single(share(ns, mutex.wait_ns), colour))
                span.n { (time(ns)) }
            }
        }
    };
    html! {
        p.where { code { (view.whole_place(mutex.site)) } }
        @if mutex.counted > 0 {
            p {
                (count(mutex.counted)) " acquisitions were only counted: the wait is an estimate, ± " (time(mutex.wait_error_ns)) "."
            }
        }
        p {
            @if mutex.locks > 1 { (count(mutex.locks)) " different locks. " }
            "Held for " (time(mutex.hold_ns)) " in all, at most " (time(mutex.max_hold_ns)) " at a time."
        }
        @if let Some(tests) = failed_lock_tests(mutex) { p { (tests) "." } }
        h4 { (term("held", "While threads waited here, the lock was held by")) }
        div.gains {
            @for holder in mutex.holders.iter().take(20) {
                (row(html! { code { (view.place(holder.site)) } }, holder.blame_ns, "k-mutex"))
            }
            @if mutex.handoff_ns > 0 { (row(term("handoff", "nobody: hand-off"), mutex.handoff_ns, "k-barrier")) }
            @if mutex.unattributed_ns > 0 { (row(html! { "no longer known" }, mutex.unattributed_ns, "k-spare_idle")) }
            @if mutex.wait_ns == 0 { p.quiet { (without_wait(mutex)) } }
        }
    }
}

/// Why no hold overlaps a wait.
fn without_wait(mutex: &Mutex) -> &'static str {
    match mutex.spin_ns {
        0 => "no thread waited",
        _ => "not known: threads only tested the lock",
    }
}

fn barrier_row(view: &View<'_>, barrier: &Barrier) -> Row {
    let (function, place) = view.columns(barrier.site.or(barrier.region));
    let kind = barrier.words();
    Row {
        cells: vec![
            Cell::markup(
                html! {
                    span.place { (place) }
                    span.function { (kind) @if !function.is_empty() { ", " (function) } }
                },
                format!("{place} {function}"),
            ),
            Cell::number(count(barrier.passes), barrier.passes as f64),
            Cell::number(time(barrier.wait_ns), barrier.wait_ns as f64),
            Cell::number(time(barrier.imbalance_ns), barrier.imbalance_ns as f64),
            Cell::number(time(barrier.starved_ns), barrier.starved_ns as f64),
            Cell::number(time(barrier.cost_ns), barrier.cost_ns as f64),
        ],
        detail: None,
    }
}
