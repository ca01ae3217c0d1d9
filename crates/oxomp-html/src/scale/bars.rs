//! Bars of wall time: the ideal time, and what is lost by cause.

use maud::{Markup, html};
use oxomp_analysis::report::units::percent;
use oxomp_analysis::summary::Class;
use oxomp_scale::{Part, PartLoss, ns};

use crate::chart::rounded;
use crate::kinds::Kind;

/// Units across a bar.
const WIDTH: f64 = 1000.0;

/// A segment of a bar: its colour, its name, its time in ns.
pub(super) type Segment = (&'static str, String, f64);

/// The colour of a cause in the style sheet.
pub(super) fn colour(part: Part) -> &'static str {
    match part {
        Part::WorkInflation => "k-inflation",
        Part::SmallTeam => "k-smallteam",
        Part::Iterations => "k-iterations",
        Part::Turns => "k-turns",
        Part::Class(class) => Kind::of(class).colour(),
    }
}

/// A square of a colour.
pub(super) fn swatch(colour: &str) -> Markup {
    html! {
        svg.swatch viewBox="0 0 10 10" aria-hidden="true" {
            rect class=(colour) width="10" height="10" rx="2" {}
        }
    }
}

/// The segments of a time of `wall` ns: the loss of each cause, and the rest, which is the ideal
/// time less what some cause has won.
pub(super) fn segments(wall: f64, serial: f64, parts: &[PartLoss]) -> Vec<Segment> {
    let mut lost: Vec<Segment> = Vec::new();
    if serial > 0.0 {
        let name = "code outside of regions".to_owned();
        lost.push((Kind::of(Class::Serial).colour(), name, serial));
    }
    for part in Part::all() {
        let sum: f64 = parts.iter().filter(|lost| lost.part == part).map(|lost| lost.wall_ns).sum();
        if sum > 0.0 {
            lost.push((colour(part), part.name().to_owned(), sum));
        }
    }
    let ideal = (wall - lost.iter().map(|segment| segment.2).sum::<f64>()).max(0.0);
    let mut all = vec![(Kind::of(Class::Useful).colour(), "ideal".to_owned(), ideal)];
    all.extend(lost);
    all
}

/// A bar in which `whole` ns would fill all of it.
pub(super) fn bar(segments: &[Segment], whole: f64, label: &str) -> Markup {
    let share = |ns: f64| if whole > 0.0 { ns / whole } else { 0.0 };
    let rects = segments.iter().scan(0.0, |from, segment| {
        let begin = *from;
        *from += segment.2;
        Some((segment, begin))
    });
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=(label) {
            @for ((colour, name, time), begin) in rects {
                rect class=(colour) x=(rounded(share(begin) * WIDTH)) y="0"
                    width=(rounded(share(*time) * WIDTH)) height="10" {
                    title { (name) ": " (ns(*time)) " (" (percent(share(*time))) ")" }
                }
            }
        }
    }
}

/// The colours of bars with their names.
pub(super) fn legend(parts: &[Part]) -> Markup {
    html! {
        ul.legend {
            li { (swatch(Kind::of(Class::Useful).colour())) "ideal" }
            li {
                (swatch(Kind::of(Class::Serial).colour()))
                a.def href={ "#d-" (Kind::of(Class::Serial).colour()) } { "code outside of regions" }
            }
            @for part in parts {
                li { (swatch(colour(*part))) a.def href={ "#d-" (colour(*part)) } { (part.name()) } }
            }
        }
    }
}
