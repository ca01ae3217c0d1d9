//! The page's head: the run, its machine and its circumstances.

use std::path::Path;

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, plural, time};

use crate::definitions::term;
use crate::text::shown;
use crate::view::View;

/// Characters of the command line.
const COMMAND: usize = 2_000;
/// Variables of the environment that are listed.
const VARIABLES: usize = 200;

/// The command line as one text.
pub(crate) fn command(view: &View<'_>) -> String {
    let header = &view.summary.header;
    let command = if header.command.is_empty() {
        header.executable.clone()
    } else {
        header.command.join(" ")
    };
    if command.is_empty() { "(unknown program)".to_owned() } else { shown(&command, COMMAND) }
}

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
            h1 { code { (command(view)) } }
            dl.facts {
                div { dt { (term("wall", "wall")) } dd { (time(header.wall_ns))
                    @if header.recorded_ns < header.wall_ns { span.quiet { " recorded " (time(header.recorded_ns)) } } } }
                @if let Some(cpu) = header.cpu_ns { div { dt { (term("cpu", "CPU time")) } dd { (time(cpu)) } } }
                div { dt { "threads" } dd {
                    (header.threads)
                    @if header.threads > header.max_team { span.quiet { " in teams of at most " (header.max_team) } }
                    @if header.allowed_cpus > 0 { span.quiet { " on " (plural(header.allowed_cpus.into(), "CPU")) } }
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

/// The day and the time of day, in UTC; `None` if they are unknown.
pub(crate) fn started(unix_ns: u64) -> Option<String> {
    if unix_ns == 0 {
        return None;
    }
    let seconds = unix_ns / 1_000_000_000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    Some(format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC"))
}

/// Year, month and day of the Gregorian calendar, `days` after 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March have the leap day at their end; eras of 400 years are all alike.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::started;

    #[test]
    fn times_since_1970_become_dates() {
        let at = |seconds: u64| started(seconds * 1_000_000_000);
        assert_eq!(at(0), None);
        assert_eq!(at(951_827_696).as_deref(), Some("2000-02-29 12:34 UTC"));
        assert_eq!(at(1_795_305_599).as_deref(), Some("2026-11-21 23:59 UTC"));
        assert_eq!(at(4_107_542_400).as_deref(), Some("2100-03-01 00:00 UTC"));
    }
}
