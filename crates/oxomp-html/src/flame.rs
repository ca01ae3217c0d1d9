//! The flame graph of the samples, as an icicle: callers above the functions that they call.

use std::collections::HashMap;

use maud::{Markup, html};
use oxomp_analysis::calls::CallNode;
use oxomp_analysis::report::units::{plural, time};
use serde_json::{Value, json};

use crate::definitions::term;
use crate::view::View;

/// The frames that the page shows, with a frame of their own for those that it leaves out.
pub(crate) fn data(view: &View<'_>) -> Value {
    let nodes = &view.analysis.calls.nodes;
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    // A caller has at least the samples of the frames that it calls, and comes before them.
    order.sort_by_key(|&node| (std::cmp::Reverse(nodes[node].total), node));
    let (kept, left_out) = order.split_at(order.len().min(view.limits.frames));
    let mut kept = kept.to_vec();
    kept.sort_unstable();
    let position: HashMap<usize, usize> =
        kept.iter().enumerate().map(|(position, &node)| (node, position)).collect();
    let caller = |node: usize| nodes[node].caller.and_then(|it| position.get(&(it as usize)));
    let mut frames: Vec<Value> = kept
        .iter()
        .map(|&node| {
            let one = &nodes[node];
            json!([
                caller(node),
                name(view, one),
                where_is(view, one),
                one.own,
                one.total,
                one.region
            ])
        })
        .collect();
    let mut small = HashMap::<usize, (u64, u64)>::new();
    for &node in left_out {
        if let Some(&caller) = caller(node) {
            let sums = small.entry(caller).or_default();
            sums.0 += 1;
            sums.1 += nodes[node].total;
        }
    }
    let mut small: Vec<_> = small.into_iter().collect();
    small.sort_unstable();
    for (caller, (number, total)) in small {
        let name = format!("({})", plural(number, "smaller frame"));
        frames.push(json!([caller, name, "", total, total, false]));
    }
    json!({ "period": view.analysis.calls.period_ns, "frames": frames })
}

fn name(view: &View<'_>, node: &CallNode) -> String {
    view.shown(&node.function)
}

fn where_is(view: &View<'_>, node: &CallNode) -> String {
    let file = node.line.as_ref().map(|(file, line)| {
        let name = file.rsplit('/').next().unwrap_or(file);
        format!("{name}:{line}")
    });
    view.shown(&file.or_else(|| node.module.clone()).unwrap_or_default())
}

pub(crate) fn section(view: &View<'_>) -> Markup {
    let calls = &view.analysis.calls;
    let samples: u64 = calls.nodes.iter().map(|node| node.own).sum();
    html! {
        section #flame aria-labelledby="flame-title" {
            h2 #flame-title { "Call paths" }
            @if samples == 0 {
                p.empty {
                    "The recording holds no samples, so there is no flame graph: the program was too short, ran \
                     without sampling, or used no processor time where it was sampled."
                }
            } @else {
                p.lead {
                    (plural(samples, "sample")) ", one for each " (time(calls.period_ns))
                    " of processor time: callers above, what they call below, each as wide as "
                    (term("total", "its samples")) ". Bodies of regions stand below the code that began them."
                    @if calls.incomplete > 0 { " " (plural(calls.incomplete, "sample")) " without a path to the start of the thread." }
                    @if calls.lost > 0 { " " (plural(calls.lost, "sample")) " lost." }
                }
                div.toolbar data-needs-script="" {
                    label { "Search " input #flame-search type="search" autocomplete="off" spellcheck="false"; }
                    div.buttons { button type="button" #flame-reset { "whole run" } }
                    p.hint #flame-found aria-live="polite" {}
                }
                div #flame-graph .flame data-needs-script="" {}
                (hottest(view, samples))
            }
        }
    }
}

/// The functions with the most samples of their own.
fn hottest(view: &View<'_>, samples: u64) -> Markup {
    use crate::chart::single;
    use oxomp_analysis::report::units::{percent, share};

    let mut functions = HashMap::<&str, u64>::new();
    for node in view.analysis.calls.nodes.iter().filter(|node| node.own > 0) {
        *functions.entry(&node.function).or_default() += node.own;
    }
    let mut functions: Vec<(&str, u64)> = functions.into_iter().collect();
    functions.sort_by_key(|(name, own)| (std::cmp::Reverse(*own), *name));
    html! {
        h3 { "Hottest functions " span.quiet { "(" (term("own", "own samples")) ")" } }
        div.gains.hottest { @for (name, own) in functions.into_iter().take(10) {
            div.gain-row {
                span.name { code { (view.shown(name)) } }
                (single(share(own, samples), "k-useful"))
                span.n { (percent(share(own, samples))) }
            }
        } }
    }
}
