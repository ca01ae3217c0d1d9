//! Warnings, and changes to try, as lists.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, share, time};

use crate::chart::single;
use crate::definitions::term;

/// What makes the numbers wrong or incomplete.
pub(crate) fn warning_list(warnings: &[String]) -> Markup {
    html! {
        @if !warnings.is_empty() {
            ul.warnings { @for warning in warnings { li { (warning) } } }
        }
    }
}

/// The list of `items`, changes to try: numbered if their order is known.
pub(crate) fn changes(are_ranked: bool, items: Markup) -> Markup {
    html! { @if are_ranked { ol.advice { (items) } } @else { ul.advice { (items) } } }
}

/// A piece of advice with its gain, which has this title without `error_ns`; the largest is `most`,
/// and the whole time `whole`, ns.
pub(crate) fn item(
    text: &str,
    (title, gain_ns): (&str, u64),
    error_ns: Option<u64>,
    most: u64,
    whole: u64,
) -> Markup {
    let (place, text) = text.split_once("  ").unwrap_or(("", text));
    html! {
        li {
            div.words { @if !place.is_empty() { code { (place) } " " } (text) }
            div.gain {
                span.n {
                    @if let Some(error) = error_ns {
                        "gain about " span.whole { (time(gain_ns)) " ± " (time(error)) }
                    } @else {
                        (term("gain", title)) " " (time(gain_ns))
                    }
                    span.quiet { " " (percent(share(gain_ns, whole))) }
                }
                (single(share(gain_ns, most), "accent"))
            }
        }
    }
}
