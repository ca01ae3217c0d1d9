//! What the numbers of a page of several numbers of threads mean.

use std::collections::BTreeSet;

use maud::{Markup, html};
use oxomp_analysis::summary::Class;
use oxomp_scale::{Part, Scale};

use super::bars::{colour, swatch};
use crate::definitions::scale::NUMBERS;
use crate::kinds::Kind;

/// The parts that occur at some number of threads, in their order.
pub(super) fn parts_of(scale: &Scale) -> Vec<Part> {
    let at = scale.regions.iter().flat_map(|region| &region.at);
    let there: BTreeSet<Part> = at
        .flat_map(|at| at.parts.iter().filter(|lost| lost.wall_ns > 0.0))
        .map(|lost| lost.part)
        .collect();
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
