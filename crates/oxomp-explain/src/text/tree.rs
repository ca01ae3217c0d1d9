//! The tree of regions, their threads and tasks.

use std::collections::BTreeMap;

use oxomp_text::Page;

use super::verdict::capital;
use super::words::Words;
use crate::situation::{
    Activity, Frame, Place, RegionId, RegionKind, TaskId, ThreadId, ThreadKind,
};

/// The most frames of a call path.
const MOST_FRAMES: usize = 12;
/// The most lines of tasks under a region.
const MOST_TASKS: usize = 20;
/// The deepest region that is indented further; deeper ones are corrupted memory.
const DEEPEST: usize = 32;

/// Threads that read the same.
struct Group {
    threads: Vec<ThreadId>,
    line: String,
    path: Vec<String>,
    is_stuck: bool,
}

/// Writes all regions, then the threads outside of regions.
pub(super) fn write(page: &mut Page, words: &Words<'_>) {
    let situation = words.situation;
    for index in 0..situation.regions.len() {
        if situation.regions[index].parent.is_none() {
            region(page, words, RegionId(index), 0);
        }
    }
    outside(page, words);
}

fn region(page: &mut Page, words: &Words<'_>, id: RegionId, depth: usize) {
    let region = words.situation.region(id);
    let mut children: Vec<RegionId> = (0..words.situation.regions.len())
        .map(RegionId)
        .filter(|other| words.situation.region(*other).parent == Some(id))
        .collect();
    children.sort_by_key(|child| words.situation.region(*child).encountered_by);
    let threads: Vec<ThreadId> = words
        .situation
        .thread_ids()
        .filter(|thread| words.situation.thread(*thread).member.map(|(at, _)| at) == Some(id))
        .filter(|thread| words.situation.thread(*thread).activity != Activity::Idle)
        .collect();
    let tasks: Vec<TaskId> = words
        .situation
        .task_ids()
        .filter(|task| words.situation.task(*task).region == Some(id))
        .collect();
    // The region around an initial task is worth a line only for what is in it alone.
    let is_shown = region.kind != RegionKind::Initial
        || !threads.is_empty()
        || !tasks.is_empty()
        || children.is_empty();
    let inner = if is_shown { depth + 1 } else { depth };
    if is_shown {
        page.paragraph(&format!("{}{}", indent(depth), title(words, id)), depth * 2 + 4);
    }
    for group in groups(words, &threads) {
        write_group(page, &group, inner, words);
    }
    self::tasks(page, words, &tasks, inner);
    if depth < DEEPEST {
        for child in children {
            self::region(page, words, child, inner);
        }
    }
}

fn title(words: &Words<'_>, id: RegionId) -> String {
    let region = words.situation.region(id);
    let at = region.place.as_ref().map_or_else(String::new, located);
    match region.kind {
        RegionKind::Initial => "outside of parallel regions".to_owned(),
        RegionKind::Parallel => {
            let by = match (region.parent, region.encountered_by) {
                (Some(parent), Some(by)) if words.situation.region(parent).size > 1 => {
                    let thread = words.situation.region(parent).members.get(by as usize);
                    thread.copied().flatten().map_or_else(String::new, |_| {
                        format!(", begun by member {by} of the region around it")
                    })
                }
                _ => String::new(),
            };
            format!("parallel region{at}, {}{by}", count(region.size, "thread"))
        }
        RegionKind::League => format!("teams region{at}, {}", count(region.size, "team")),
    }
}

/// ` at app.c:21 in work`, ` in work (app+0x1234)`.
fn located(place: &Place) -> String {
    match place.line {
        None if place.function.is_some() => format!(" in {place}"),
        _ => format!(" at {place}"),
    }
}

fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn indent(depth: usize) -> String {
    " ".repeat(depth * 2)
}

/// Threads with the same line and path are one group, in the order of the first.
fn groups(words: &Words<'_>, threads: &[ThreadId]) -> Vec<Group> {
    let stuck = words.graph.stuck();
    let mut found: Vec<Group> = Vec::new();
    let mut index: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
    for id in threads {
        let thread = words.situation.thread(*id);
        let line = line(words, *id);
        let path: Vec<String> = thread.path.iter().skip(1).map(frame).collect();
        let key = (line.clone(), path.clone());
        match index.get(&key) {
            Some(&at) => found[at].threads.push(*id),
            None => {
                index.insert(key, found.len());
                let is_stuck = stuck.contains(id);
                found.push(Group { threads: vec![*id], line, path, is_stuck });
            }
        }
    }
    found
}

/// `at app.c:21 in work: waits for lock a, which thread 1 holds`.
fn line(words: &Words<'_>, id: ThreadId) -> String {
    let thread = words.situation.thread(id);
    let at = || thread.place().map_or_else(String::new, located);
    match &thread.activity {
        Activity::Waits(_) => match words.wait(id, false) {
            Some(phrase) => format!("{}: {}", at(), phrase.of("", false).trim_start()),
            None => at(),
        },
        Activity::Runs => format!(" {}", words.position(id)),
        Activity::Idle => " idle".to_owned(),
        Activity::Unknown => format!(" {}: its state could not be read", words.position(id)),
    }
}

/// `from app.c:30 in main`.
fn frame(frame: &Frame) -> String {
    match &frame.calls {
        Some(calls) => format!("from {} ({calls})", frame.place),
        None => format!("from {}", frame.place),
    }
}

fn write_group(page: &mut Page, group: &Group, depth: usize, words: &Words<'_>) {
    let who = words.labels.several(&group.threads);
    let lwp = match group.threads.as_slice() {
        [one] if !who.contains("lwp") => {
            let lwp = words.situation.thread(*one).lwp;
            lwp.map_or_else(String::new, |lwp| format!(" (lwp {lwp})"))
        }
        _ => String::new(),
    };
    let text = format!("{}{who}{lwp}{}", indent(depth), group.line);
    match group.is_stuck {
        true => page.alarm(&text, depth * 2 + 4),
        false => page.paragraph(&text, depth * 2 + 4),
    }
    for frame in group.path.iter().take(MOST_FRAMES) {
        page.aside(&format!("{}  {frame}", indent(depth)), depth * 2 + 4);
    }
    if group.path.len() > MOST_FRAMES {
        let more = group.path.len() - MOST_FRAMES;
        let more = count(more as u64, "more frame");
        page.aside(&format!("{}  … {more}", indent(depth)), depth * 2 + 4);
    }
}

/// Tasks that read the same are one line.
fn tasks(page: &mut Page, words: &Words<'_>, tasks: &[TaskId], depth: usize) {
    /// Tasks of one place in one state.
    struct Line {
        name: String,
        state: String,
        count: usize,
        threads: Vec<ThreadId>,
    }
    let mut lines: Vec<Line> = Vec::new();
    let mut index: BTreeMap<(String, String), usize> = BTreeMap::new();
    for &task in tasks {
        let place = words.situation.task(task).place.as_ref();
        let name = format!("task{}", place.map_or_else(String::new, located));
        let state = words.task_state_of(task);
        let at = *index.entry((name.clone(), state.clone())).or_insert_with(|| {
            lines.push(Line { name, state, count: 0, threads: Vec::new() });
            lines.len() - 1
        });
        lines[at].count += 1;
        lines[at].threads.extend(words.thread_of(task));
    }
    for line in lines.iter().take(MOST_TASKS) {
        let times = if line.count > 1 { format!("{} × ", line.count) } else { String::new() };
        let threads = words.labels.several(&line.threads);
        let text = format!("{}{times}{}: {}{threads}", indent(depth), line.name, line.state);
        page.paragraph(&text, depth * 2 + 4);
    }
    if lines.len() > MOST_TASKS {
        let more: usize = lines[MOST_TASKS..].iter().map(|line| line.count).sum();
        let more = count(more as u64, "more task");
        page.paragraph(&format!("{}… {more}", indent(depth)), depth * 2 + 4);
    }
}

/// Idle workers in one line, and the threads that the runtime does not know.
fn outside(page: &mut Page, words: &Words<'_>) {
    let situation = words.situation;
    let idle = situation.threads.iter().filter(|thread| thread.activity == Activity::Idle).count();
    if idle > 0 {
        page.line(&format!("{} idle", count(idle as u64, "worker")));
    }
    let others: Vec<ThreadId> = situation
        .thread_ids()
        .filter(|id| {
            let thread = situation.thread(*id);
            thread.member.is_none() && thread.activity != Activity::Idle
        })
        .collect();
    for group in groups(words, &others) {
        let threads = &group.threads;
        let is_foreign = threads.iter().all(|id| situation.thread(*id).kind == ThreadKind::Foreign);
        if is_foreign && threads.len() > 1 {
            let group = Group { threads: Vec::new(), ..group };
            let text = format!("{} other threads{}", threads.len(), group.line);
            page.paragraph(&text, 4);
        } else {
            write_group(page, &group, 0, words);
        }
    }
    for line in &situation.unread {
        page.paragraph(&capital(line), 2);
    }
}
