//! The parallel regions: a table, and for each region what its threads did.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, percent, plural, share, time};
use oxomp_analysis::report::{bounds_hold, gain_title, python_callers};
use oxomp_analysis::summary::{Class, Gain, Loop, Region};

use crate::chart::{single, swatch};
use crate::definitions::term;
use crate::kinds::Kind;
use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

fn columns(view: &View<'_>) -> [Column; 7] {
    [
        Column::text("region"),
        Column::text("construct").dropped(2),
        Column::number("calls", "calls").dropped(1),
        Column::number("wall", "wall"),
        Column::number("balance", "lb").dropped(1),
        Column::number(gain_title(view.summary), "gain"),
        Column { title: "mostly", term: "mostly", is_number: false, drop: 1 },
    ]
}

pub(crate) fn section(view: &View<'_>) -> Markup {
    let regions = &view.summary.regions;
    let shown = regions.len().min(view.limits.rows);
    let most = regions.iter().map(|region| region.gain.total_ns()).max().unwrap_or(0);
    let rows = regions[..shown].iter().enumerate().map(|(number, region)| Row {
        cells: cells(view, region, most),
        detail: (number < view.limits.details).then(|| detail(view, number, region)),
    });
    if regions.is_empty() {
        return html! {};
    }
    html! {
        section #regions aria-labelledby="regions-title" {
            h2 #regions-title { "Regions" }
                p.lead {
                    (plural(regions.len() as u64, "parallel construct")) ", by what could be won. "
                    span data-needs-script="" { "A click on a region opens it." }
                }
                (table("Regions", &columns(view), rows.collect()))
                @if shown < regions.len() {
                    p.note {
                        "and " (plural((regions.len() - shown) as u64, "region")) ", with " (of_gains(view)) " "
                        (time(regions[shown..].iter().map(|region| region.gain.total_ns()).sum()))
                        " together"
                    }
                }
        }
    }
}

/// What the sum of some gains is, in words.
fn of_gains(view: &View<'_>) -> &'static str {
    if bounds_hold(view.summary) { "gains ≤" } else { "a loss of" }
}

/// The cells of a region; `most` is the largest gain of all.
fn cells(view: &View<'_>, region: &Region, most: u64) -> Vec<Cell> {
    let (function, place) = view.columns(region.site);
    let gain = region.gain.total_ns();
    let mostly = losses(&region.gain).into_iter().next();
    vec![
        Cell::markup(
            html! { span.place { (place) } @if !function.is_empty() { span.function { (function) } } },
            format!("{place} {function}"),
        ),
        Cell::text(construct(region)),
        Cell::number(count(region.calls), region.calls as f64),
        Cell::number(time(region.wall_ns), region.wall_ns as f64),
        Cell::number(
            region.load_balance.map(|balance| format!("{balance:.2}")).unwrap_or_default(),
            region.load_balance.unwrap_or(-1.0),
        ),
        Cell::markup(
            html! {
                (time(gain))
                (single(share(gain, most), "accent"))
            },
            gain.to_string(),
        ),
        mostly_cell(mostly, gain),
    ]
}

/// The classes that `gain` has parts of, largest first.
fn losses(gain: &Gain) -> Vec<(Class, u64)> {
    let losses = Class::ALL.map(|class| (class, gain.class_ns(class)));
    let mut losses: Vec<_> = losses.into_iter().filter(|loss| loss.1 > 0).collect();
    losses.sort_by_cached_key(|loss| std::cmp::Reverse(loss.1));
    losses
}

fn mostly_cell(mostly: Option<(Class, u64)>, gain: u64) -> Cell {
    let Some((class, ns)) = mostly else { return Cell::text("") };
    let words = format!("{} {:.0} %", class.name(), share(ns, gain) * 100.0);
    let content = html! { span.kind { (swatch(Kind::of(class))) (words) } };
    Cell::markup(content, words).of_class(Some(class.name()))
}

/// The region in a few words: whether it was parallel at all, and its worksharing constructs.
fn construct(region: &Region) -> String {
    let mut words = region.peculiarities();
    words.extend(region.worksharing_names().into_iter().map(str::to_owned));
    words.join(", ")
}

fn detail(view: &View<'_>, number: usize, region: &Region) -> Markup {
    let team = match region.team {
        (least, most) if least == most => plural(most.into(), "thread"),
        (least, most) => format!("{least} to {most} threads"),
    };
    let loops: Vec<&Loop> =
        view.summary.loops.iter().filter(|one| one.region == region.site).take(20).collect();
    let barriers: Vec<_> =
        view.summary.barriers.iter().filter(|one| one.region == region.site).take(20).collect();
    let recorded = view.recorded_calls.get(&number).copied().unwrap_or(0);
    let bound = if bounds_hold(view.summary) { "upper bounds" } else { "as far as lost" };
    html! {
        p.where { code { (view.whole_place(region.site)) } }
        p {
            (team) ", " (plural(region.calls, "call")) " of " (time(region.wall_ns / region.calls.max(1))) " on average"
            @if region.serialized > 0 { ", " (count(region.serialized)) " of them with one thread" }
            @if region.nested > 0 { ", " (count(region.nested)) " inside another region" }
            @if region.under_way > 0 {
                ", " (count(region.under_way)) " under way when the recording began"
            }
            ". Useful work of all threads: " (time(region.useful_ns)) "."
        }
        @if let Some((called, from)) = python_callers(region) {
            p {
                "Called by " code { (view.shown(&called)) }
                @if let Some(from) = from { ", from " code { (view.shown(&from)) } }
                " in Python."
            }
        }
        div.detail-grid {
            div {
                h4 { "What its threads did" @if recorded < region.calls { span.quiet {
                    " (in the " (count(recorded)) " calls recorded one by one)"
                } } }
                div.region-threads data-region=(number) { p.quiet { "The script of this page draws this." } }
            }
            div {
                h4 { "What could be won " span.quiet { "(" (term("gain", bound)) ")" } }
                (gains(&region.gain, region.wall_ns))
            }
        }
        @if !loops.is_empty() {
            h4 { "Loops and sections" }
            @for one in loops { (loop_detail(view, one)) }
        }
        @if let Some(tasking) = &region.tasking {
            h4 { "Tasks" }
            p {
                "In " (plural(tasking.instances, "recorded call")) ": " (plural(tasking.tasks, "task")) " with " (time(tasking.work_ns)) " of work, between the first and the \
                last of them " (time(tasking.span_ns)) ": "
                (format!("{:.1}", tasking.work_ns as f64 / tasking.span_ns.max(1) as f64)) " at a time on average."
            }
        }
        @if !barriers.is_empty() {
            h4 { "Barriers inside" }
            ul { @for barrier in barriers {
                li {
                    code { (view.place(barrier.site.or(barrier.region))) } ": " (plural(barrier.passes, "pass").replace("passs", "passes"))
                    ", wait " (time(barrier.wait_ns)) " (imbalance " (time(barrier.imbalance_ns)) ", own cost "
                    (time(barrier.cost_ns)) @if barrier.starved_ns > 0 { ", few tasks " (time(barrier.starved_ns)) } ")"
                }
            } }
        }
    }
}

fn gains(gain: &Gain, wall: u64) -> Markup {
    html! {
        div.gains {
            @for (class, ns) in losses(gain) {
                div.gain-row {
                    span.name { (class.name()) }
                    (single(share(ns, wall), Kind::of(class).colour()))
                    span.n { (time(ns)) }
                }
            }
            @if gain.total_ns() == 0 { p.quiet { "nothing" } }
        }
    }
}

fn loop_detail(view: &View<'_>, one: &Loop) -> Markup {
    let mean = one.iterations as f64 / one.chunks.max(1) as f64;
    let most = one.parts_ns.iter().copied().max().unwrap_or(0);
    html! {
        div.loop {
            p {
                code { (view.place(one.site)) } " " (one.kind.name()) ": "
                (plural(one.chunks, "chunk")) " of " (one.sizes.0) " to " (one.sizes.1)
                " iterations (mean " (format!("{mean:.1}")) "), " (time(one.time_ns)) " on "
                (plural(one.threads.into(), "thread"))
                @if one.has_shares() { ", longest share of a thread " } @else { ", longest chunk " }
                (time(one.longest_ns))
                ", handing out "
                @match one.dispatch_error_ns { None => "≤ ", Some(_) => "about " }
                (time(one.dispatch_ns)) " ("
                (percent(share(one.dispatch_ns, one.time_ns))) ")."
            }
            @if one.parts_ns[1..].iter().any(|ns| *ns > 0) {
                div.quarters {
                    span.quiet { (term("quarters", "cost by quarter")) }
                    @for ns in one.parts_ns {
                        div.quarter { (single(share(ns, most), "accent")) span.n { (time(ns)) } }
                    }
                }
            }
        }
    }
}
