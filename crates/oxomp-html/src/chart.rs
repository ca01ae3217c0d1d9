//! Bars and legends, drawn by attributes: the page's policy forbids style attributes.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, share, time};

use crate::kinds::Kind;

/// Units across a bar.
const WIDTH: f64 = 1000.0;

/// A bar of stacked `parts`, each with its time in ns, in which `whole` would fill all of it.
pub(crate) fn stacked(parts: &[(Kind, u64)], whole: u64, label: &str) -> Markup {
    let rects = parts.iter().filter(|part| part.1 > 0).scan(0, |from, &(kind, ns)| {
        let begin = *from;
        *from += ns;
        Some((kind, ns, begin))
    });
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=(label) {
            @for (kind, ns, begin) in rects {
                rect class=(kind.colour()) x=(rounded(share(begin, whole) * WIDTH)) y="0"
                    width=(rounded(share(ns, whole) * WIDTH)) height="10" {
                    title { (kind.name()) ": " (time(ns)) " (" (percent(share(ns, whole))) ")" }
                }
            }
        }
    }
}

/// A bar of one colour.
pub(crate) fn single(part: f64, colour: &str) -> Markup {
    html! {
        svg.bar.thin viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
            rect class=(colour) x="0" y="0" width=(rounded(part.clamp(0.0, 1.0) * WIDTH)) height="10" {}
        }
    }
}

/// A column of one colour.
pub(crate) fn column(part: f64, colour: &str) -> Markup {
    let height = part.clamp(0.0, 1.0) * WIDTH;
    html! {
        svg.column viewBox="0 0 10 1000" preserveAspectRatio="none" aria-hidden="true" {
            rect class=(colour) y=(rounded(WIDTH - height)) width="10" height=(rounded(height)) {}
        }
    }
}

/// The colours of `kinds` with their names, which lead to their definitions.
pub(crate) fn legend(kinds: &[Kind]) -> Markup {
    html! {
        ul.legend {
            @for kind in kinds {
                li {
                    (swatch(*kind))
                    a.def href={ "#d-" (kind.colour()) } title=(kind.definition()) { (kind.name()) }
                }
            }
        }
    }
}

/// A square of a kind's colour.
pub(crate) fn swatch(kind: Kind) -> Markup {
    html! {
        svg.swatch viewBox="0 0 10 10" aria-hidden="true" {
            rect class=(kind.colour()) width="10" height="10" rx="2" {}
        }
    }
}

pub(crate) fn rounded(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
