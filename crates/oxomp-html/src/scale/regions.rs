//! The regions: a table, and for each its time with each number of threads, by cause.

use maud::{Markup, html};
use oxomp_analysis::report::units::plural;
use oxomp_scale::{Part, RegionScale, Scale, factor, ns};

use super::bars::{bar, segments};
use super::threads::threads;
use crate::tables::{Cell, Column, Row, table};
use crate::text::shown;

/// Regions that have a row.
const ROWS: usize = 200;
/// Regions that can be opened.
const DETAILS: usize = 50;
/// Characters of a name.
const NAME: usize = 400;

const COLUMNS: [Column; 7] = [
    Column::text("region"),
    Column::number("wall, fewest threads", "scale-wall").dropped(2),
    Column::number("wall", "scale-wall"),
    Column::number("speed-up", "scale-speedup").dropped(1),
    Column::number("lost", "scale-lost"),
    Column { title: "mostly", term: "", is_number: false, drop: 1 },
    Column::number("stops at", "scale-stops"),
];

pub(super) fn section(scale: &Scale) -> Markup {
    let rows = scale.regions.iter().take(ROWS).enumerate().map(|(number, region)| Row {
        cells: cells(scale, region),
        detail: (number < DETAILS).then(|| detail(scale, region)),
    });
    html! {
        section #regions aria-labelledby="regions-title" {
            h2 #regions-title { "Regions" }
            @if scale.regions.is_empty() {
                p.empty { "No parallel region was recorded." }
            } @else {
                p.lead {
                    (plural(scale.regions.len() as u64, "parallel construct")) " with "
                    (threads(scale.at().threads)) ", by what they lose. "
                    span data-needs-script="" { "A click on a region opens it." }
                }
                (table("Regions", &COLUMNS, rows.collect()))
                @if scale.regions.len() > ROWS {
                    p.note { "and " (plural((scale.regions.len() - ROWS) as u64, "region")) " that lose less" }
                }
            }
        }
    }
}

fn cells(scale: &Scale, region: &RegionScale) -> Vec<Cell> {
    let place = shown(&region.construct.place(), NAME);
    let function = shown(region.construct.function(), NAME);
    let (first, at) = (&region.at[0], &region.at[scale.judged]);
    let stop = region.stops_at.map(|point| scale.points[point].threads);
    let blame = at.blame().map_or("", Part::name);
    let speed_up = at.speed_up.filter(|_| !region.is_nested()).map_or_else(String::new, factor);
    vec![
        Cell::markup(
            html! {
                span.place { (place) }
                @if !function.is_empty() { span.function { (function) } }
            },
            format!("{place} {function}"),
        ),
        Cell::number(ns(first.wall_ns), first.wall_ns),
        Cell::number(ns(at.wall_ns), at.wall_ns),
        Cell::number(speed_up, at.speed_up.unwrap_or(0.0)),
        Cell::number(ns(at.lost_ns), at.lost_ns),
        Cell::text(blame),
        Cell::number(
            stop.map_or_else(String::new, |stop| stop.to_string()),
            stop.map_or(f64::MAX, f64::from),
        ),
    ]
}

fn detail(scale: &Scale, region: &RegionScale) -> Markup {
    let whole = region.at.iter().map(|at| at.wall_ns).fold(0.0, f64::max);
    let remark = match (region.is_nested(), region.own_team(&scale.points)) {
        (true, _) => Some(
            "It runs inside other regions: its work is theirs, and only what it loses is its own."
                .to_owned(),
        ),
        (_, Some(team)) => Some(format!(
            "Its teams have {} whatever the number: num_threads or omp_set_num_threads.",
            threads(team)
        )),
        _ => None,
    };
    html! {
        @if let Some(remark) = remark { p { (remark) } }
        h4 { "Wall time by cause" }
        div.scale-bars { @for (point, at) in scale.points.iter().zip(&region.at) {
            @let cost = at.wall_ns;
            @let label = format!("{}: {}", threads(point.threads), ns(cost));
            div.scale-bar {
                span { (threads(point.threads)) }
                (bar(&segments(cost, 0.0, &at.parts), whole, &label))
                span.n { (ns(cost)) }
            }
        } }
        h4 { "Beyond the ideal" }
        div.scroll tabindex="0" role="region" aria-label="Beyond the ideal" {
            table.plain {
                thead { tr {
                    th scope="col" {}
                    @for point in &scale.points { th.n scope="col" { (threads(point.threads)) } }
                } }
                tbody {
                    (row("team", |index| team(region.at[index].measured.team), scale))
                    (row("executions", |index| region.at[index].measured.calls.to_string(), scale))
                    @for part in occurring(region) {
                        (row(part.name(), |index| ns(region.at[index].lost_to(part)), scale))
                    }
                }
            }
        }
    }
}

fn row(name: &str, cell: impl Fn(usize) -> String, scale: &Scale) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            @for index in 0..scale.points.len() { td.n { (cell(index)) } }
        }
    }
}

fn team((least, most): (u32, u32)) -> String {
    match (least, most) {
        (_, 0) => "-".to_owned(),
        (least, most) if least == most => most.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// The parts that the region has with some number of threads.
fn occurring(region: &RegionScale) -> Vec<Part> {
    let has = |part: &Part| region.at.iter().any(|at| at.lost_to(*part) != 0.0);
    Part::all().filter(has).collect()
}
