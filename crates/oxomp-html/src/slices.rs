//! The run by slices of time.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, time};
use oxomp_analysis::summary::{SliceSums, most_lost, work_share};

use crate::chart::{legend, stacked};
use crate::kinds::{Kind, parts};
use crate::view::View;

/// The most rows: more slices are put together.
const ROWS: usize = 40;

/// The section; nothing if the run was recorded without slices.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let slices = SliceSums::fewer(&view.summary.slices, ROWS);
    if slices.is_empty() {
        return html! {};
    }
    let has_part = |kind: &Kind| slices.iter().any(|one| kind.ns(&one.by_class) > Some(0));
    let kinds: Vec<Kind> = Kind::ORDER.into_iter().filter(has_part).collect();
    html! {
        section #slices aria-labelledby="slices-title" {
            h2 #slices-title { "Over time" }
            p.lead {
                "What the threads did from the time at the left on, with their work at the right. "
                code { "oxomp report --window FROM,TO" } " shows a part alone."
            }
            div.threads {
                @for slice in &slices {
                    @let work = percent(work_share(&slice.by_class));
                    @let whole = slice.by_class.iter().sum();
                    div.thread title=(until(slice)) {
                        span.name { (time(slice.from_ns)) }
                        (stacked(&parts(&slice.by_class), whole, &format!("{work} of work")))
                        span.n { (work) }
                    }
                }
            }
            (legend(&kinds))
        }
    }
}

/// Until when the slice is, and what took most of the threads' time beside work.
fn until(slice: &SliceSums) -> String {
    let most = most_lost(&slice.by_class);
    let lost = most.map(|(class, share)| format!(", mostly lost to {class}: {}", percent(share)));
    format!("until {}{}", time(slice.to_ns), lost.unwrap_or_default())
}
