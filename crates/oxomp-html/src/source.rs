//! Source lines with what happened on them, read from the files that the debug information names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use maud::{Markup, html};
use oxomp_analysis::report::gain_title;
use oxomp_analysis::report::units::{percent, plural, share, time};
use oxomp_analysis::summary::SiteId;

use crate::chart::single;
use crate::text::shown;
use crate::view::View;

/// Lines that are shown before and after one on which something happened.
const AROUND: u32 = 3;
/// Files that are quoted.
const FILES: usize = 12;
/// The largest file that is read, bytes.
const FILE_BYTES: u64 = 4_000_000;
/// Characters of a line.
const LINE: usize = 160;
/// Share of all samples below which a line is not hot.
const HOT: f64 = 0.005;

/// What happened on a line.
#[derive(Debug, Default)]
struct Mark {
    samples: u64,
    notes: Vec<String>,
    /// By which lines are chosen: ns that could be won, or of samples.
    weight: u64,
}

/// By file, then by line.
type Marks<'a> = BTreeMap<&'a str, BTreeMap<u32, Mark>>;

/// A file that could be read.
struct Quoted<'a> {
    path: &'a str,
    lines: Vec<String>,
    marks: BTreeMap<u32, Mark>,
    /// Changed since the run began.
    is_newer: bool,
}

/// The section, or the reason why the page has none.
pub(crate) fn section(view: &View<'_>) -> Result<Markup, String> {
    let mut marks: Vec<(&str, BTreeMap<u32, Mark>)> = marks(view).into_iter().collect();
    let weight = |lines: &BTreeMap<u32, Mark>| lines.values().map(|mark| mark.weight).sum::<u64>();
    marks.sort_by_key(|(path, lines)| (std::cmp::Reverse(weight(lines)), *path));
    let named = marks.len();
    let mut room = view.limits.source_lines;
    let mut files = Vec::new();
    let mut missing = Vec::new();
    for (path, marks) in marks {
        if files.len() == FILES || room == 0 {
            continue;
        }
        match read(view, path) {
            Some((lines, is_newer)) => {
                let file = Quoted { path, lines, marks, is_newer };
                let part = excerpt(&file, room);
                room -= part.len();
                files.push((file, part));
            }
            None => missing.push(path),
        }
    }
    let samples: u64 = view.analysis.calls.nodes.iter().map(|node| node.own).sum();
    if named == 0 {
        return Err("No source line is known: the program has no line information. Compiled with \
                    -g, it has."
            .to_owned());
    }
    if files.is_empty() {
        let more = match missing.len() {
            0 | 1 => String::new(),
            all => format!(" and {} more", all - 1),
        };
        let first = view.shown(missing.first().copied().unwrap_or_default());
        return Err(format!(
            "The source files could not be read where the program's debug information says they \
             are: {first}{more}."
        ));
    }
    Ok(html! {
        section #source aria-labelledby="source-title" {
            h2 #source-title { "Source" }
                p.lead { "Lines on which something is to be won" @if samples > 0 { ", or that were sampled often" } ", with their neighbours." }
                @for (file, lines) in &files { (quote(view, file, lines, samples)) }
                @if files.len() < named { p.note { "And " (plural((named - files.len()) as u64, "file")) " more, missing or left out for want of room." } }
        }
    })
}

fn marks<'a>(view: &View<'a>) -> Marks<'a> {
    let mut marks = Marks::new();
    let mut note = |site: Option<SiteId>, weight: u64, text: String| {
        let place = site.and_then(|site| view.analysis.places.get(site.0 as usize));
        if let Some((file, line)) = place.and_then(|place| place.line.as_ref()) {
            let mark = marks.entry(file.as_str()).or_default().entry(*line).or_default();
            mark.weight += weight;
            if mark.notes.len() < 4 {
                mark.notes.push(text);
            }
        }
    };
    let title = gain_title(view.summary);
    for region in view.summary.regions.iter().take(view.limits.details) {
        let gain = region.gain.total_ns();
        note(
            region.site,
            gain,
            format!("region: wall {}, {title} {}", time(region.wall_ns), time(gain)),
        );
    }
    for mutex in view.summary.mutexes.iter().take(view.limits.details) {
        let text = format!("{}: waited {}", mutex.kind.name(), time(mutex.wait_ns));
        note(mutex.site, mutex.gain_ns, text);
    }
    for barrier in view.summary.barriers.iter().take(view.limits.details) {
        note(barrier.site, 0, format!("barrier: waited {}", time(barrier.wait_ns)));
    }
    for task in view.summary.tasks.iter().take(view.limits.details) {
        let text = format!("{}, mean {}", plural(task.count, "task"), time(task.mean_ns()));
        note(task.site, 0, text);
    }
    let calls = &view.analysis.calls;
    let all: u64 = calls.nodes.iter().map(|node| node.own).sum();
    let mut sampled = BTreeMap::<(&str, u32), u64>::new();
    for node in calls.nodes.iter().filter(|node| node.own > 0) {
        if let Some((file, line)) = &node.line {
            *sampled.entry((file, *line)).or_default() += node.own;
        }
    }
    for ((file, line), samples) in sampled {
        let lines = marks.entry(file).or_default();
        if share(samples, all) >= HOT || lines.contains_key(&line) {
            let mark = lines.entry(line).or_default();
            mark.samples = samples;
            mark.weight += samples * calls.period_ns;
        }
    }
    marks.retain(|_, lines| !lines.is_empty());
    marks
}

/// The lines of a file, and whether it changed after the run began.
fn read(view: &View<'_>, path: &str) -> Option<(Vec<String>, bool)> {
    let path = Path::new(path);
    // Something that is not a regular file may have no end, or block its reader.
    let metadata = fs::metadata(path).ok().filter(|_| path.is_absolute())?;
    if !metadata.is_file() || metadata.len() > FILE_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(FILE_BYTES).read_to_end(&mut bytes).ok()?;
    let lines = String::from_utf8_lossy(&bytes);
    let lines = lines.lines().map(|line| shown(&line.replace('\t', "    "), LINE)).collect();
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    let begun = u128::from(view.summary.header.started_unix_ns);
    Some((lines, begun > 0 && changed > begun))
}

/// The numbers of the lines to be shown, at most `room`: those with the most weight first.
fn excerpt(file: &Quoted<'_>, room: usize) -> BTreeSet<u32> {
    let last = u32::try_from(file.lines.len()).unwrap_or(u32::MAX);
    let mut marks: Vec<(&u32, &Mark)> =
        file.marks.iter().filter(|(line, _)| **line <= last).collect();
    marks.sort_by_key(|(line, mark)| (std::cmp::Reverse(mark.weight), **line));
    let mut lines = BTreeSet::new();
    for (&line, _) in marks {
        let around = line.saturating_sub(AROUND).max(1)..=line.saturating_add(AROUND).min(last);
        let more: Vec<u32> = around.filter(|line| !lines.contains(line)).collect();
        if lines.len() + more.len() > room {
            break;
        }
        lines.extend(more);
    }
    lines
}

fn quote(view: &View<'_>, file: &Quoted<'_>, lines: &BTreeSet<u32>, samples: u64) -> Markup {
    let most = file.marks.values().map(|mark| mark.samples).max().unwrap_or(0);
    let mut before = None;
    let rows = lines.iter().map(|&line| {
        let follows = before.is_none_or(|before: u32| before + 1 == line);
        before = Some(line);
        (line, follows, &file.lines[line as usize - 1])
    });
    html! {
        h3 { code { (view.shown(file.path)) } }
        @if file.is_newer { p.warning { "This file was changed after the run began: lines may have moved." } }
        div.scroll tabindex="0" role="region" aria-label={ "Source of " (view.shown(file.path)) } {
            table.source { tbody {
                @for (line, follows, text) in rows {
                    @let mark = file.marks.get(&line);
                    @if !follows { tr.gap { td colspan="4" { "⋯" } } }
                    tr.(if mark.is_some() { "marked" } else { "" }) {
                        td.number { (line) }
                        td.samples {
                            @if let Some(mark) = mark.filter(|mark| mark.samples > 0) {
                                (percent(share(mark.samples, samples)))
                                (single(share(mark.samples, most), "k-useful"))
                            }
                        }
                        td.code { code { (text) } }
                        td.notes { @if let Some(mark) = mark { (mark.notes.join("; ")) } }
                    }
                }
            } }
        }
    }
}
