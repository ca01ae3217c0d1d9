//! Explicit tasks: a table by construct, histograms, chains, and how many ran at a time.

use maud::{Markup, html};
use oxomp_analysis::report::task_bound;
use oxomp_analysis::report::units::{count, percent, share, time};
use oxomp_analysis::summary::{Region, TaskConstruct, Tasking};

use crate::chart::{column, single};
use crate::definitions::term;
use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

const COLUMNS: [Column; 9] = [
    Column::text("task"),
    Column::number("count", ""),
    Column::number("mean", "task-time"),
    Column::number("median", "task-time").dropped(1),
    Column::number("longest", "task-time").dropped(1),
    Column::number("between two", "between").dropped(1),
    Column::number("waited for", "waited-for").dropped(1),
    Column::number("stolen", "stolen").dropped(2),
    Column::number("depth", "depth").dropped(2),
];

pub(crate) fn section(view: &View<'_>) -> Markup {
    let tasks = &view.summary.tasks;
    let shown = tasks.len().min(view.limits.rows);
    let rows =
        tasks[..shown].iter().map(|one| Row { cells: cells(view, one), detail: Some(detail(one)) });
    if tasks.is_empty() {
        return html! {};
    }
    html! {
        section #tasks aria-labelledby="tasks-title" {
            h2 #tasks-title { "Tasks" }
            @if !tasks.is_empty() {
                p.lead {
                    "Explicit tasks by construct, all threads together. "
                    span data-needs-script="" { "A click opens the histogram of their times." }
                }
                (table("Tasks", &COLUMNS, rows.collect()))
                @if shown < tasks.len() { p.note { "and " (tasks.len() - shown) " more" } }
                @let chains: Vec<_> = view.summary.chains.iter().filter(|chain| chain.span_ns > 0).take(10).collect();
                @if !chains.is_empty() {
                    h3 { "How many threads the tasks can keep busy" }
                    ul { @for chain in chains {
                        li {
                            code { (view.place(chain.region)) } ": work " (time(chain.work_ns)) ", "
                            (term("chain", "longest chain")) " " (time(chain.span_ns)) ": room for "
                            strong { (format!("{:.1}", (chain.work_ns as f64 / chain.span_ns as f64).max(1.0))) }
                            " threads"
                        }
                    } }
                }
                @let taskings: Vec<_> = view.summary.regions.iter().filter_map(|one| Some((one, one.tasking?))).take(10).collect();
                @if !taskings.is_empty() {
                    h3 { (term("tenths", "Tasks at a time")) }
                    @for (region, tasking) in taskings { (tenths(&view.place(region.site), region, &tasking)) }
                }
                @if !view.analysis.model.tasks.is_empty() {
                    h3 data-needs-script="" { "Threads in tasks over time" }
                    div.canvas-box data-needs-script="" {
                        canvas #parallelism-canvas role="img" aria-label="Number of threads that executed a task, over the whole run" {}
                    }
                }
            }
        }
    }
}

/// How many tasks of a region ran at a time, in each tenth of their time; a full column is one task
/// for each thread of the largest team.
fn tenths(place: &str, region: &Region, tasking: &Tasking) -> Markup {
    let most = tasking.parallelism.iter().copied().fold(region.team.1.max(1).into(), f64::max);
    html! {
        div.tenths {
            span { code { (place) } }
            @for running in tasking.parallelism {
                div.tenth { (column(running / most, "k-task")) span.n { (format!("{running:.1}")) } }
            }
        }
    }
}

fn cells(view: &View<'_>, one: &TaskConstruct) -> Vec<Cell> {
    let (function, place) = view.columns(one.site.or(one.region));
    let stolen = share(one.stolen, one.count);
    vec![
        Cell::markup(
            html! { span.place { (place) } @if !function.is_empty() { span.function { (function) } } },
            format!("{place} {function}"),
        ),
        Cell::number(count(one.count), one.count as f64),
        Cell::number(time(one.mean_ns()), one.mean_ns() as f64),
        Cell::number(
            one.median_ns().map_or_else(String::new, |bound| task_bound(one, bound)),
            one.median_ns().map_or(-1.0, |ns| ns as f64),
        ),
        Cell::number(time(one.longest_ns), one.longest_ns as f64),
        Cell::number(
            one.between_ns.map_or_else(String::new, time),
            one.between_ns.map_or(-1.0, |ns| ns as f64),
        ),
        Cell::number(time(one.waits_ns), one.waits_ns as f64),
        Cell::number(percent(stolen), stolen),
        Cell::number(one.depth.to_string(), one.depth as f64),
    ]
}

fn detail(one: &TaskConstruct) -> Markup {
    let most = one.times.iter().map(|bin| bin.1).max().unwrap_or(0);
    let ended: u64 = one.by_thread.iter().map(|thread| thread.1).sum();
    html! {
        div.detail-grid {
            div {
                h4 { (term("task-time", "Times of the tasks")) }
                div.gains { @for (bound, number) in &one.times {
                    div.gain-row {
                        span.name { (task_bound(one, *bound)) }
                        (single(share(*number, most), "k-task"))
                        span.n { (count(*number)) }
                    }
                } }
            }
            div {
                h4 { "Ended on thread" }
                div.gains { @for (thread, number) in one.by_thread.iter().take(64) {
                    div.gain-row {
                        span.name { (thread) }
                        (single(share(*number, ended), "accent"))
                        span.n { (count(*number)) }
                    }
                } }
            }
        }
        p {
            "All together " (time(one.time_ns)) ". From creation to begin "
            (time(one.queued_ns / one.count.max(1))) " on average. "
            @if let Some(ns) = one.creating_ns {
                (term("creating", "Creating one")) " took at most " (time(ns)) " on average. "
            }
            @if one.dependent > 0 { (count(one.dependent)) " with dependences. " }
            @if one.undeferred > 0 { (count(one.undeferred)) " " (term("undeferred", "undeferred")) ". " }
            @if one.detached > 0 { (count(one.detached)) " " (term("detached", "detached")) "." }
        }
    }
}
