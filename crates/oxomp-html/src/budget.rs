//! Where the threads' time went: a bar, its numbers, and a bar for each thread.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, plural, share, time};
use oxomp_analysis::summary::{Class, Thread};

use crate::chart::{stacked, swatch};
use crate::definitions::term;
use crate::kinds::{Worth, parts};
use crate::view::View;

/// Rows of threads that are shown at once; the others are a click away.
const AT_ONCE: usize = 16;

pub(crate) fn section(view: &View<'_>) -> Markup {
    let budget = &view.summary.budget;
    let recorded = budget.recorded_ns();
    let parts = parts(&budget.by_class);
    let threads = &view.summary.threads[..view.summary.threads.len().min(view.limits.threads)];
    if budget.total_ns == 0 {
        return html! {};
    }
    html! {
        section #budget aria-labelledby="budget-title" {
            h2 #budget-title { "Where the time went" }
                p.lead {
                    (time(budget.total_ns)) " of " (plural(view.summary.threads.len() as u64, "thread"))
                    ", each nanosecond in one class."
                }
                div.tall { (stacked(&parts, budget.total_ns, "Shares of the classes; the table has the numbers")) }
                div.columns {
                    table.plain {
                        thead { tr { th scope="col" { "class" } th.n scope="col" { "share" } th.n scope="col" { "time" } } }
                        tbody {
                            @for (kind, ns) in parts.iter().filter(|part| part.1 > 0) {
                                tr {
                                    th scope="row" {
                                        (swatch(*kind))
                                        a.def href={ "#d-" (kind.colour()) } title=(kind.definition()) { (kind.name()) }
                                    }
                                    td.n {
                                        @if kind.worth() == Worth::Unknown { "–" }
                                        @else { (percent(share(*ns, recorded))) }
                                    }
                                    td.n { (time(*ns)) }
                                }
                            }
                        }
                    }
                    div {
                    dl.figures {
                        div { dt { (term("efficiency", "parallel efficiency")) } dd { (format!("{:.2}", budget.parallel_efficiency)) } }
                        div { dt { (term("concurrency", "average concurrency")) } dd { (format!("{:.2}", budget.average_concurrency)) } }
                        div { dt { (term("accounted", "accounted")) } dd { (percent(budget.accounted)) } }
                    }
                @if threads.len() > 1 {
                    h3 { "By thread" }
                    (by_thread(view, &threads[..threads.len().min(AT_ONCE)]))
                    @if threads.len() > AT_ONCE {
                        details {
                            summary { (plural((threads.len() - AT_ONCE) as u64, "more thread")) }
                            (by_thread(view, &threads[AT_ONCE..]))
                        }
                    }
                    @if threads.len() < view.summary.threads.len() {
                        p.note { (plural((view.summary.threads.len() - threads.len()) as u64, "more thread")) " in the sums only." }
                    }
                }
                    }
                }
        }
    }
}

fn by_thread(view: &View<'_>, threads: &[Thread]) -> Markup {
    let longest = view.summary.threads.iter().map(|one| one.end_ns - one.begin_ns).max();
    let longest = longest.unwrap_or(0);
    html! {
        div.threads {
            @for thread in threads {
                @let useful = thread.by_class[Class::Useful as usize] + thread.by_class[Class::Serial as usize];
                @let label = format!("{} of work", percent(share(useful, thread.end_ns - thread.begin_ns)));
                div.thread {
                    span.name { (thread.number) @if thread.initial { span.quiet { " initial" } } }
                    (stacked(&parts(&thread.by_class), longest, &label))
                    span.n { (percent(share(useful, thread.end_ns - thread.begin_ns))) }
                }
            }
        }
    }
}
