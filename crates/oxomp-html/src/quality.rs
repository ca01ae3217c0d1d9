//! How far the numbers can be trusted: losses, sums, repairs, and what the page leaves out.

use maud::{Markup, html};
use oxomp_analysis::report::units::{count, percent, plural, share, time};
use oxomp_analysis::report::{differ, guessed};

use crate::view::View;

/// Pieces of damage that are listed.
const DAMAGES: usize = 50;

pub(crate) fn section(view: &View<'_>, absent: &[String]) -> Markup {
    let quality = &view.summary.quality;
    let is_whole = quality.lost_events == 0
        && quality.damaged.is_empty()
        && quality.disagreements.is_empty()
        && quality.stopped.is_none()
        && quality.open_chunks == 0;
    html! {
        section #quality aria-labelledby="quality-title" {
            h2 #quality-title { "Data quality" }
            ul {
                li { (plural(quality.events, "event")) " recorded" @if is_whole { ", none lost" } "." }
                @if quality.folded > 0 {
                    li { (count(quality.folded)) " regions, barriers and locks were summed up in the program instead of \
                         recorded one by one: their sums are exact, when they happened is not known." }
                }
                @if quality.folded_tasks > 0 {
                    li { (plural(quality.folded_tasks, "task")) " summed up in the program: their sums are exact, too." }
                }
                @if quality.counted > 0 {
                    li { (plural(quality.counted, "region")) " too short to be timed on all threads: their number and time are \
                         exact, what the threads did is estimated from the timed ones of the same construct." }
                }
                @if quality.counted_tasks > 0 {
                    li { (plural(quality.counted_tasks, "task")) " too short to be timed: their number is exact, their times are \
                         estimated from the timed ones of the same construct." }
                }
                @if !quality.recording.is_empty() {
                    li {
                        "About " (percent(share(quality.recording_ns(), view.summary.budget.total_ns))) " of the threads' time \
                         went to recording: "
                        @for (at, cost) in quality.recording.iter().enumerate() {
                            @if at > 0 { ", " }
                            (cost.class) " " (percent(share(cost.cost_ns, view.summary.budget.total_ns)))
                        }
                        "."
                    }
                }
                @if quality.counted_acquisitions > 0 {
                    li { (plural(quality.counted_acquisitions, "acquisition")) " of locks came too fast to be timed each: their \
                         number is exact, waits and holds are estimated from some at random." }
                }
                @if let Some(line) = guessed(quality) { li { (line) "." } }
                @if let Some(why) = &quality.unsampled { li { "No call paths were sampled: " (view.shown(why)) "." } }
                @if let Some(why) = &quality.unread_python { li { (view.shown(why)) "." } }
                @if quality.lost_events > 0 { li { (plural(quality.lost_events, "event")) " lost." } }
                @if let Some(reason) = &quality.stopped { li { "Recording stopped early, all later events are lost: " (view.shown(reason)) } }
                @if quality.open_chunks > 0 { li { (plural(quality.open_chunks, "chunk")) " open when the program went away: complete up to its last event." } }
                @if quality.lost_chunks > 0 { li { (plural(quality.lost_chunks, "chunk")) " lost, with an unknown number of events." } }
                @for damage in quality.damaged.iter().take(DAMAGES) { li { "Damaged: " (view.shown(damage)) } }
                @if quality.damaged.len() > DAMAGES { li { "and " (plural((quality.damaged.len() - DAMAGES) as u64, "more damage")) } }
                @if let Some(cpu) = quality.unseen_cpu_ns {
                    li { "CPU time of threads that OpenMP does not know, the collector's own included: " (time(cpu)) "." }
                }
            }
            @if !absent.is_empty() {
                h3 { "Not on this page" }
                ul { @for line in absent { li { (line) } } }
            }
            @if !quality.repaired.is_empty() { h3 { "Repaired deviations of the runtime" } (counts(view, &quality.repaired)) }
            @if !quality.anomalies.is_empty() { h3 { "Events that fitted nowhere" } (counts(view, &quality.anomalies)) }
            @if !quality.left_out.is_empty() { h3 { "Left out, since there was no room" } (counts(view, &quality.left_out)) }
            @if !quality.disagreements.is_empty() {
                h3 { "Counts that disagree" }
                ul { @for one in &quality.disagreements { li { (differ(one)) } } }
            }
            @if !view.notes.data.is_empty() {
                h3 { "Files" }
                ul { @for line in &view.notes.data { li { (view.shown(line)) } } }
            }
            p.note {
                "This page holds everything that it shows, asks no network for anything, and quotes source lines of \
                 the program as they were when the page was made."
            }
        }
    }
}

fn counts(view: &View<'_>, counts: &[(&'static str, u64)]) -> Markup {
    html! { ul { @for (name, number) in counts { li { (view.shown(name)) ": " (count(*number)) } } } }
}
