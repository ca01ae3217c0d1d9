//! The first lines: the facts of the run.

use std::path::Path;

use super::calls;
use super::notes::Notes;
use super::scope::scope_name;
use super::table::cut_end;
use super::units::{percent, plural, time};
use crate::summary::{Header, Summary};
use oxomp_text::Page;

/// Characters of a command line that are shown.
pub(super) const COMMAND_WIDTH: usize = 60;

pub(super) fn write(page: &mut Page, summary: &Summary, notes: &Notes) {
    let header = &summary.header;
    let command = if header.command.is_empty() {
        header.executable.clone()
    } else {
        header.command.join(" ")
    };
    let command: String = command.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let mut parts = vec![
        format!("oxomp {}", notes.version).trim_end().to_owned(),
        cut_end(&command, COMMAND_WIDTH),
        format!(
            "{}{} on {}{}",
            plural(header.threads.into(), "thread"),
            teams(header),
            plural(header.allowed_cpus.into(), "CPU"),
            header.foreign_processor().map(|name| format!(" ({name})")).unwrap_or_default()
        ),
        runtime(summary, notes),
    ];
    parts.retain(|part| !part.is_empty());
    write_parts(page, &parts);

    let quality = &summary.quality;
    let recorded = if quality.stopped.is_some() { "only the first" } else { "wall" };
    let mut parts = match scope_name(&header.scope()) {
        Some(name) => vec![name, format!("under way {}", time(header.wall_ns))],
        None => match &header.excerpt {
            Some(why) => vec![format!("the last {}: {why}", time(header.wall_ns))],
            None => vec![format!("{recorded} {}", time(header.wall_ns))],
        },
    };
    if let Some(cpu) = header.cpu_ns {
        parts.push(format!("CPU {}", time(cpu)));
    }
    // How many events a damaged part held is unknown.
    if quality.damaged.is_empty() {
        parts.push(format!("accounted {}", percent(summary.budget.accounted)));
    }
    parts.extend(summary.sampled.as_ref().map(calls::header));
    if header.recorded_ns < header.wall_ns {
        parts.push(format!("recorded {} of it", time(header.recorded_ns)));
    }
    if header.truncated {
        parts.push(format!("truncated at {}", time(header.wall_ns)));
    }
    parts.extend(notes.ended.clone());
    write_parts(page, &parts);
}

/// ` in teams of at most 3`, if no team had all threads.
fn teams(header: &Header) -> String {
    if header.threads > header.max_team {
        format!(" in teams of at most {}", header.max_team)
    } else {
        String::new()
    }
}

/// `runtime LLVM OMP version 5.0 as libomp.so.5, kept (2 known deviations repaired)`.
fn runtime(summary: &Summary, notes: &Notes) -> String {
    let header = &summary.header;
    let mut text = format!("runtime {}", header.runtime.trim());
    if let Some(file) = header.runtime_path.as_ref().and_then(|path| Path::new(path).file_name()) {
        text.push_str(&format!(" as {}", file.to_string_lossy()));
    }
    if let Some(origin) = &notes.runtime_origin {
        text.push_str(&format!(", {origin}"));
    }
    let repaired = summary.quality.repaired.len() as u64;
    if repaired > 0 {
        text.push_str(&format!(" ({} repaired)", plural(repaired, "known deviation")));
    }
    text
}

/// Joins by dots, breaking lines only between parts where that is possible.
pub(super) fn write_parts(page: &mut Page, parts: &[String]) {
    let mut line = String::new();
    for part in parts {
        let longer = line.chars().count() + " · ".len() + part.chars().count();
        if line.is_empty() {
            line.clone_from(part);
        } else if longer > page.width() {
            page.paragraph(&line, 2);
            line = format!("  {part}");
        } else {
            line.push_str(" · ");
            line.push_str(part);
        }
    }
    page.paragraph(&line, 2);
}
