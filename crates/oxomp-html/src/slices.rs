//! The run by slices of time.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, time};
use oxomp_analysis::summary::{SliceSums, most_lost, work_share};

use crate::chart::stacked;
use crate::kinds::parts;
use crate::view::View;

/// The most rows: more slices are put together.
const ROWS: usize = 40;

/// The section; nothing if the run was recorded without slices.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let slices = SliceSums::fewer(&view.summary.slices, ROWS);
    if slices.is_empty() {
        return html! {};
    }
    let total = |one: &SliceSums| one.by_class.iter().sum::<u64>();
    let longest = slices.iter().map(total).max().unwrap_or(0);
    html! {
        section #slices aria-labelledby="slices-title" {
            h2 #slices-title { "Over time" }
            p.lead {
                "What the threads did from when to when, with their work. "
                code { "oxomp report --window FROM,TO" } " shows a part alone."
            }
            div.threads {
                @for slice in &slices {
                    @let work = percent(work_share(&slice.by_class));
                    div.thread title=(lost(slice)) {
                        span.name { (time(slice.from_ns)) span.quiet { " – " (time(slice.to_ns)) } }
                        (stacked(&parts(&slice.by_class), longest, &format!("{work} of work")))
                        span.n { (work) }
                    }
                }
            }
        }
    }
}

/// What took most of the threads' time beside work.
fn lost(slice: &SliceSums) -> String {
    let most = most_lost(&slice.by_class);
    let lost = most.map(|(class, share)| format!("mostly lost to {class}: {}", percent(share)));
    lost.unwrap_or_default()
}
