//! The page of a program at several numbers of threads.

use maud::{Markup, html};
use oxomp_analysis::report::units::percent;
use oxomp_scale::{Scale, factor, ns};

use crate::advice::warning_list;
use crate::document::{Frame, SCALE_SCRIPT};
use crate::text::{escaped, inside_script, shown};

mod bars;
mod curve;
mod definitions;
mod losses;
mod points;
mod regions;
mod threads;

/// Characters of the command line.
const COMMAND: usize = 2_000;
/// Characters of a sentence or a name.
const TEXT: usize = 1_200;

/// Ids and names of the sections, in their order.
const SECTIONS: [(&str, &str); 5] = [
    ("verdict", "Verdict"),
    ("speed-up", "Speed-up"),
    ("lost", "Lost time"),
    ("regions", "Regions"),
    ("definitions", "Definitions"),
];

/// The page of `scale`, made by this `version`; like [`crate::page`], it needs no network.
#[must_use]
pub fn scale_page(scale: &Scale, version: &str) -> String {
    let command = scale.facts().command.join(" ");
    let command =
        if command.is_empty() { "(unknown program)".to_owned() } else { shown(&command, COMMAND) };
    let name =
        scale.facts().command.first().map_or("", |path| path.rsplit('/').next().unwrap_or(path));
    let data = serde_json::json!({ "markdown": markdown(scale, &command) }).to_string();
    Frame {
        program: &format!("{}, scale", shown(name, TEXT)),
        head: head(scale, &command, version),
        sections: &SECTIONS,
        content: html! {
            (verdict(scale))
            (points::section(scale))
            (losses::section(scale))
            (regions::section(scale))
            (definitions::section(scale))
        },
        data: &inside_script(&data),
        script: SCALE_SCRIPT,
    }
    .render()
}

fn head(scale: &Scale, command: &str, version: &str) -> Markup {
    let facts = scale.facts();
    let runs: usize = scale.points.iter().map(|point| point.runs.len()).sum();
    let threads: Vec<String> = scale.points.iter().map(|point| point.threads.to_string()).collect();
    html! {
        header.page-head {
            div.brand {
                span.mark { "oxomp" } " scale"
                @if !version.is_empty() { span.quiet { " " (version) } }
                span.tools data-needs-script="" {
                    button type="button" #copy { "Copy verdict as Markdown" }
                    button type="button" #theme aria-label="light, dark, or as the system" { "Theme: system" }
                }
            }
            h1 { code { (command) } }
            dl.facts {
                div { dt { "threads" } dd { (threads.join(", ")) } }
                div { dt { "processors" } dd { (scale.processors) } }
                div { dt { "runs" } dd { (runs) } }
                @if !facts.hostname.is_empty() {
                    div { dt { "machine" } dd { (shown(&facts.hostname, TEXT)) } }
                }
                div.wide { dt { "runtime" } dd { (shown(&facts.runtime, TEXT)) } }
            }
        }
    }
}

fn verdict(scale: &Scale) -> Markup {
    let warnings: Vec<String> = scale.warnings.iter().map(|text| shown(text, TEXT)).collect();
    html! {
        section #verdict aria-labelledby="verdict-title" {
            h2.headline #verdict-title { (shown(&scale.verdict.headline, TEXT)) }
            (warning_list(&warnings))
            @for sentence in &scale.verdict.sentences { p { (shown(sentence, TEXT)) } }
        }
    }
}

/// The verdict and the numbers of threads as Markdown.
fn markdown(scale: &Scale, command: &str) -> String {
    let mut text = format!("## `{}`\n\n", command.replace('`', "'"));
    text.push_str(&format!("**{}**\n\n", escaped(&shown(&scale.verdict.headline, TEXT))));
    for sentence in &scale.verdict.sentences {
        text.push_str(&format!("{}\n\n", escaped(&shown(sentence, TEXT))));
    }
    for warning in &scale.warnings {
        text.push_str(&format!("> Note: {}\n\n", escaped(&shown(warning, TEXT))));
    }
    text.push_str(
        "| threads | wall | speed-up | efficiency | serial |\n|---:|---:|---:|---:|---:|\n",
    );
    for point in &scale.points {
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            point.threads,
            ns(point.wall_ns),
            factor(point.speed_up),
            percent(point.efficiency()),
            ns(point.run().serial_ns)
        ));
    }
    text
}
