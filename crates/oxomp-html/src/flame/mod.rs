//! The flame graph of the samples, as an icicle: callers above the functions that they call.

use std::collections::HashMap;

use maud::{Markup, html};
use oxomp_analysis::calls::CallNode;
use oxomp_analysis::report::hot_code_name;
use oxomp_analysis::report::units::{percent, plural, share, time};
use serde_json::{Value, json};

use crate::chart::single;
use crate::definitions::term;
use crate::view::View;
use recursion::folded;

mod recursion;

/// Functions in the list of the hottest ones.
const HOTTEST: usize = 10;

/// A frame on its way to the page.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Position of the caller among the frames.
    caller: Option<u32>,
    /// Position of the frame in the tree of calls.
    node: u32,
    own: u64,
    total: u64,
    depth: u32,
}

/// The frames that the page shows: with recursion folded, and without if there is any.
pub(crate) fn data(view: &View<'_>) -> Value {
    let calls = &view.analysis.calls;
    let plain = (0..).zip(&calls.nodes).map(|(position, node)| Frame {
        caller: node.caller,
        node: position,
        own: node.own,
        total: node.total,
        depth: 1,
    });
    let folded = folded(&calls.nodes).map(|frames| {
        let frames = frames.into_iter().map(|one| Frame {
            caller: one.caller,
            node: one.node,
            own: one.own,
            total: one.total,
            depth: one.depth,
        });
        shown_frames(view, &frames.collect::<Vec<_>>())
    });
    json!({
        "period": calls.period_ns,
        "frames": shown_frames(view, &plain.collect::<Vec<_>>()),
        "folded": folded,
    })
}

/// The frames with the most samples, and one for those that each of them leaves out.
fn shown_frames(view: &View<'_>, frames: &[Frame]) -> Vec<Value> {
    let mut order: Vec<usize> = (0..frames.len()).collect();
    // A caller has at least the samples of the frames that it calls, and comes before them.
    order.sort_by_key(|&frame| (std::cmp::Reverse(frames[frame].total), frame));
    let (kept, left_out) = order.split_at(order.len().min(view.limits.frames));
    let mut kept = kept.to_vec();
    kept.sort_unstable();
    let position: HashMap<usize, usize> =
        kept.iter().enumerate().map(|(position, &frame)| (frame, position)).collect();
    let caller = |frame: usize| frames[frame].caller.and_then(|it| position.get(&(it as usize)));
    let value = |&frame: &usize| {
        let Frame { node, own, total, depth, .. } = frames[frame];
        let node = &view.analysis.calls.nodes[node as usize];
        let (name, place) = (name(view, node), where_is(view, node));
        json!([caller(frame), name, place, own, total, node.region, depth])
    };
    let mut values: Vec<Value> = kept.iter().map(value).collect();
    let mut small = HashMap::<usize, (u64, u64)>::new();
    for &frame in left_out {
        if let Some(&caller) = caller(frame) {
            let sums = small.entry(caller).or_default();
            sums.0 += 1;
            sums.1 += frames[frame].total;
        }
    }
    let mut small: Vec<_> = small.into_iter().collect();
    small.sort_unstable();
    for (caller, (number, total)) in small {
        let name = format!("({})", plural(number, "smaller frame"));
        values.push(json!([caller, name, "", total, total, false, 1]));
    }
    values
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
    if samples == 0 {
        return html! {};
    }
    html! {
        section #flame aria-labelledby="flame-title" {
            h2 #flame-title { "Call paths" }
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
                    button type="button" #flame-fold hidden aria-pressed="true" { "recursion folded" }
                    p.hint #flame-found aria-live="polite" {}
                }
                div #flame-graph .flame data-needs-script="" {}
                (hottest(view))
        }
    }
}

/// The functions with the most samples of their own, as the text summary has them: what a library
/// does for a function stands with that function.
fn hottest(view: &View<'_>) -> Markup {
    let Some(sampled) = view.summary.sampled.as_ref().filter(|one| !one.code.is_empty()) else {
        return html! {};
    };
    html! {
        h3 { "Hottest functions " span.quiet { "(" (term("own", "own samples")) ")" } }
        div.gains.hottest { @for code in sampled.code.iter().take(HOTTEST) {
            @let part = share(code.samples, sampled.taken);
            div.gain-row {
                span.name { code { (view.shown(&hot_code_name(code))) } }
                (single(part, "k-useful"))
                span.n { (percent(part)) }
            }
        } }
    }
}
