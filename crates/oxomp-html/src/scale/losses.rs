//! Where each number of threads loses its time: bars, and the causes of the judged one.

use maud::{Markup, html};
use oxomp_analysis::report::units::percent;
use oxomp_scale::{Loss, PartLoss, Scale, Source, named_cause, ns};

use super::bars::{bar, colour, legend, segments};
use super::definitions::parts_of;
use super::threads::threads;
use crate::chart::single;
use crate::kinds::Kind;
use crate::text::shown;

/// Causes that are listed.
const ROWS: usize = 20;
/// The part of the wall time below which a cause is not listed.
const LEAST: f64 = 0.005;
/// Characters of a name.
const NAME: usize = 400;

pub(super) fn section(scale: &Scale) -> Markup {
    let whole = scale.points.iter().map(|point| point.run().wall_ns).fold(0.0, f64::max);
    let lost = || scale.losses[scale.judged].iter().filter(|loss| loss.ns > 0.0);
    let least = LEAST * scale.at().run().wall_ns;
    let losses: Vec<&Loss> = lost().filter(|loss| loss.ns >= least).take(ROWS).collect();
    let more: Vec<&Loss> = lost().skip(losses.len()).collect();
    html! {
        section #lost aria-labelledby="lost-title" {
            h2 #lost-title { "Lost time" }
            p.lead {
                "The wall time with each number of threads: that of ideal scaling, and what was lost, "
                "by cause."
            }
            div.scale-bars { @for (index, point) in scale.points.iter().enumerate() {
                @let wall = point.run().wall_ns;
                @let label = format!("{}: {}", threads(point.threads), ns(wall));
                div.scale-bar {
                    span { (threads(point.threads)) }
                    (bar(&by_cause(scale, index), whole, &label))
                    span.n { (ns(wall)) }
                }
            } }
            (legend(&parts_of(scale)))
            @if scale.judged > 0 && !losses.is_empty() {
                @let wall = scale.at().run().wall_ns;
                h3 { "With " (threads(scale.at().threads)) ": " (ns(scale.lost_ns())) " lost of " (ns(wall)) }
                ol.losses { @for loss in &losses { li {
                    div.gain-row {
                        (name(scale, loss))
                        (single(loss.ns / losses[0].ns, loss_colour(loss)))
                        span.n { (ns(loss.ns)) span.quiet { " " (percent(loss.ns / wall)) } }
                    }
                } } }
                @if !more.is_empty() {
                    p.note {
                        "and " (ns(more.iter().map(|loss| loss.ns).sum())) " in " (more.len())
                        " more"
                    }
                }
            }
        }
    }
}

fn by_cause(scale: &Scale, index: usize) -> Vec<super::bars::Segment> {
    let losses = &scale.losses[index];
    let serial: f64 =
        losses.iter().filter(|loss| loss.source == Source::Serial).map(|loss| loss.ns).sum();
    let parts: Vec<PartLoss> = losses
        .iter()
        .filter_map(|loss| match loss.source {
            Source::Region(_, part) => Some(PartLoss { part, wall_ns: loss.ns }),
            Source::Serial => None,
        })
        .collect();
    segments(scale.points[index].run().wall_ns, serial, &parts)
}

fn loss_colour(loss: &Loss) -> &'static str {
    match loss.source {
        Source::Serial => Kind::of(oxomp_analysis::summary::Class::Serial).colour(),
        Source::Region(_, part) => colour(part),
    }
}

fn name(scale: &Scale, loss: &Loss) -> Markup {
    let Source::Region(region, part) = loss.source else {
        return html! { span.name { "code outside of regions" } };
    };
    let construct = &scale.regions[region].construct;
    let cause = named_cause(scale, scale.judged, region, part);
    html! {
        span.name {
            (part.name()) " "
            span.place { (shown(&construct.place(), NAME)) }
            @if !construct.function().is_empty() { span.function { (shown(construct.function(), NAME)) } }
            @if !cause.is_empty() { span.quiet { " " (shown(&cause, NAME)) } }
        }
    }
}
