//! The numbers of threads: the curve of the speed-up, and a table.

use maud::{Markup, html};
use oxomp_analysis::report::units::percent;
use oxomp_scale::{Point, Scale, factor, ns};

use super::curve::curve;
use super::threads::threads;
use crate::tables::{Cell, Column, Row, table};

const COLUMNS: [Column; 9] = [
    Column::number("threads", ""),
    Column::number("wall", "scale-wall"),
    Column::number("spread", "scale-spread").dropped(1),
    Column::number("speed-up", "scale-speedup"),
    Column::number("ideal", "scale-ideal").dropped(1),
    Column::number("Amdahl", "scale-amdahl").dropped(1),
    Column::number("efficiency", "scale-efficiency"),
    Column::number("serial", "scale-serial").dropped(1),
    Column::number("CPU", "").dropped(2),
];

pub(super) fn section(scale: &Scale) -> Markup {
    let rows = scale.points.iter().map(|point| Row { cells: cells(point), detail: None });
    let rows = table("Numbers of threads", &COLUMNS, rows.collect());
    html! {
        section #speed-up aria-labelledby="speed-up-title" {
            h2 #speed-up-title { "Speed-up" }
            @if scale.points.len() > 1 {
                div.scale-columns {
                    div {
                        (curve(scale))
                        @if scale.points.iter().any(|point| point.is_beyond) {
                            p.note { "An open circle has more threads than there are processors." }
                        }
                    }
                    div { (amdahl(scale)) }
                }
            }
            (rows)
        }
    }
}

/// Amdahl's serial part in figures.
fn amdahl(scale: &Scale) -> Markup {
    let amdahl = &scale.amdahl;
    html! {
        h3 { "Serial part, measured" }
        dl.figures {
            div { dt { "outside of regions" } dd { (ns(amdahl.outside_ns)) } }
            @if amdahl.single_ns > 0.0 {
                div { dt { "in regions of one thread" } dd { (ns(amdahl.single_ns)) } }
            }
            div { dt { "of the run with " (threads(scale.base().threads)) } dd { (percent(amdahl.share)) } }
            div { dt { "limit of the speed-up" } dd { (factor(amdahl.limit)) } }
        }
        p.note {
            "By Amdahl's law no number of threads is faster than the limit, even if all regions \
             scaled ideally."
        }
    }
}

fn cells(point: &Point) -> Vec<Cell> {
    let number = |text: String, value: f64| Cell::number(text, value);
    let spread = if point.runs.len() > 1 { percent(point.spread()) } else { String::new() };
    let serial = point.run().serial_ns;
    vec![
        number(point.threads.to_string(), point.threads.into()),
        number(ns(point.wall_ns), point.wall_ns),
        number(spread, point.spread()),
        number(factor(point.speed_up), point.speed_up),
        number(factor(point.ideal), point.ideal),
        number(factor(point.amdahl), point.amdahl),
        number(percent(point.efficiency()), point.efficiency()),
        number(ns(serial), serial),
        number(point.cpu_ns.map_or_else(String::new, ns), point.cpu_ns.unwrap_or_default()),
    ]
}
