//! What the numbers of a page of several numbers of threads mean.

use std::collections::BTreeSet;

use maud::{Markup, html};
use oxomp_analysis::summary::Class;
use oxomp_scale::{Part, Scale};

use super::bars::{colour, swatch};
use crate::kinds::Kind;

/// Id, name, definition.
pub(crate) const NUMBERS: [(&str, &str, &str); 9] = [
    (
        "scale-wall",
        "wall",
        "Time on the clock on the wall from the start of the process to the end of the recording, without pauses; of several runs the median.",
    ),
    (
        "scale-spread",
        "spread",
        "The longest run with the number of threads minus the shortest, divided by the median.",
    ),
    (
        "scale-speedup",
        "speed-up",
        "How many times as fast as with the fewest threads, by the medians.",
    ),
    (
        "scale-ideal",
        "ideal",
        "How many times as many processors the threads have: more threads than processors make nothing faster.",
    ),
    (
        "scale-amdahl",
        "Amdahl",
        "The speed-up by Amdahl's law if only the serial part, as it was measured with the fewest threads, did not become faster.",
    ),
    ("scale-efficiency", "efficiency", "Speed-up divided by the ideal."),
    (
        "scale-serial",
        "serial",
        "Wall time in no parallel region, of the median run: measured from the recording, not fitted.",
    ),
    (
        "scale-lost",
        "lost",
        "Wall time beyond that of the fewest threads divided by the ideal speed-up, of the median run. The causes sum to it; less than 0 is a gain.",
    ),
    (
        "scale-stops",
        "stops at",
        "The first number of threads at which the region, from the number before, gains less than half of what the added threads could give, beyond the noise as far as the runs tell it.",
    ),
];

/// The parts that occur at some number of threads, in their order.
pub(super) fn parts_of(scale: &Scale) -> Vec<Part> {
    let at = scale.regions.iter().flat_map(|region| &region.at);
    let there: BTreeSet<Part> =
        at.flat_map(|at| at.parts.iter().filter(|part| part.1 > 0.0)).map(|part| part.0).collect();
    Part::all().filter(|part| there.contains(part)).collect()
}

pub(super) fn section(scale: &Scale) -> Markup {
    let serial = Kind::of(Class::Serial).colour();
    html! {
        section #definitions aria-labelledby="definitions-title" {
            h2 #definitions-title { "Definitions" }
            h3 { "Causes" }
            dl.definitions {
                div id={ "d-" (serial) } {
                    dt { (swatch(serial)) "code outside of regions" }
                    dd { "Wall time in no parallel region beyond the ideal: no number of threads makes it faster." }
                }
                @for part in parts_of(scale) {
                    div id={ "d-" (colour(part)) } {
                        dt { (swatch(colour(part))) (part.name()) }
                        dd { (definition(part)) }
                    }
                }
            }
            h3 { "Numbers" }
            dl.definitions {
                @for (id, name, definition) in NUMBERS {
                    div id={ "d-" (id) } { dt { (name) } dd { (definition) } }
                }
            }
        }
    }
}

fn definition(part: Part) -> String {
    match part {
        Part::Class(class) if class != Class::Mutex => format!(
            "{} The threads' time, divided by the threads of the team.",
            Kind::of(class).definition()
        ),
        _ => part.definition().to_owned(),
    }
}
