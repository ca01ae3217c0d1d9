//! The page's head: the run, its machine and its circumstances.

use std::path::Path;

use maud::{Markup, html};
use oxomp_analysis::report::scope_name;
use oxomp_analysis::report::units::{percent, plural, time};

use crate::date::started;
use crate::definitions::term;
use crate::view::View;

/// Variables of the environment that are listed.
const VARIABLES: usize = 200;

/// The program's name, for the page's title.
pub(crate) fn program(view: &View<'_>) -> String {
    let header = &view.summary.header;
    let path = header.command.first().unwrap_or(&header.executable);
    let name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    view.shown(&name.unwrap_or_else(|| "(unknown program)".to_owned()))
}

pub(crate) fn section(view: &View<'_>) -> Markup {
    let header = &view.summary.header;
    let environment = &header.environment;
    let listed = &environment[..environment.len().min(VARIABLES)];
    html! {
        header.page-head {
            div.brand {
                span.mark { "oxomp" } " profile"
                @if !view.notes.version.is_empty() { span.quiet { " " (view.shown(&view.notes.version)) } }
                @if let Some(date) = started(header.started_unix_ns) { span.quiet { " · " (date) } }
                span.tools data-needs-script="" {
                    button type="button" #copy { "Copy verdict as Markdown" }
                    button type="button" #theme aria-label="light, dark, or as the system" { "Theme: system" }
                }
            }
            h1 { code { (view.command()) } }
            dl.facts {
                @if let Some(name) = scope_name(&header.scope()) { div { dt { "shown" } dd { (view.shown(&name)) } } }
                div { dt { (term("wall", "wall")) } dd { (time(header.wall_ns))
                    @if header.recorded_ns < header.wall_ns { span.quiet { " recorded " (time(header.recorded_ns)) } } } }
                @if let Some(cpu) = header.cpu_ns { div { dt { (term("cpu", "CPU time")) } dd { (time(cpu)) } } }
                div { dt { "threads" } dd {
                    (header.threads)
                    @if header.threads > header.max_team { span.quiet { " in teams of at most " (header.max_team) } }
                    @if header.allowed_cpus > 0 { span.quiet { " on " (plural(header.allowed_cpus.into(), "CPU")) } }
                    @if let Some(name) = header.foreign_processor() { span.quiet { " (" (view.shown(name)) ")" } }
                } }
                @if !header.hostname.is_empty() { div { dt { "machine" } dd { (view.shown(&header.hostname)) } } }
                div.wide { dt { "runtime" } dd {
                    (view.shown(header.runtime.trim()))
                    @if let Some(path) = &header.runtime_path { span.quiet title=(view.shown(path)) { " as " (view.shown(file_name(path))) } }
                    @if let Some(origin) = &view.notes.runtime_origin { span.quiet { ", " (view.shown(origin)) } }
                } }
                div { dt { (term("accounted", "accounted")) } dd {
                    @if view.summary.quality.damaged.is_empty() { (percent(view.summary.budget.accounted)) }
                    @else { "unknown" }
                } }
            }
            details.environment {
                summary { "Environment " span.quiet { "(" (plural(environment.len() as u64, "variable")) ")" } }
                @if listed.is_empty() {
                    p.quiet { "No variable whose name begins with OMP_, KMP_, GOMP_ or OXOMP_ was set." }
                } @else {
                    dl.environment { @for (name, value) in listed {
                        div { dt { code { (view.shown(name)) } } dd { code { (view.shown(value)) } } }
                    } }
                    @if listed.len() < environment.len() { p.note { "and " (environment.len() - listed.len()) " more" } }
                }
                p.quiet { "Executable " code { (view.shown(&header.executable)) } ", process " (header.pid) }
            }
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
