//! The answers of `ompt_get_task_info` and `ompt_get_parallel_info`, and the program's own view.

use super::history::{Kind, Region, has};
use super::walk::Walk;
use crate::trace::log::{Detail, Event, find};

const TASKS: &str = "5.2 §19.6.1.14, ompt_get_task_info";
const REGIONS: &str = "5.2 §19.6.1.13, ompt_get_parallel_info";

/// How many levels the recorder asks for.
const LEVELS: usize = 8;

/// The word that a probe of the program passes: what the routines of OpenMP tell the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The iteration, or 0.
    pub iteration: usize,
    /// `omp_get_thread_num()`.
    pub thread_num: usize,
    /// `omp_get_num_threads()`.
    pub num_threads: usize,
    /// `omp_get_level()`.
    pub level: usize,
    /// `omp_get_active_level()`.
    pub active_level: usize,
    /// `omp_in_final()`.
    pub in_final: bool,
}

impl Seen {
    /// What the probe passed, if the event is one.
    #[must_use]
    pub fn of(event: &Event) -> Option<Self> {
        let word = event.get("arg")?.strip_prefix("0x")?;
        let word = u64::from_str_radix(word, 16).ok()?;
        let part = |from: u32, bits: u32| {
            usize::try_from((word >> from) & ((1 << bits) - 1)).unwrap_or_default()
        };
        Some(Self {
            iteration: part(0, 16),
            thread_num: part(16, 8),
            num_threads: part(24, 8),
            level: part(32, 8),
            active_level: part(40, 8),
            in_final: part(48, 1) == 1,
        })
    }
}

/// Checks the answers below an event.
pub fn check<'l>(walk: &mut Walk<'l>, event: &'l Event) {
    let answers = |name: &str| -> Vec<&'l Detail> {
        event.details.iter().filter(|detail| detail.name == name).collect()
    };
    let (tasks, regions) = (answers("task_info"), answers("parallel_info"));
    let is_settled = match event.name.as_str() {
        "control_tool" | "parallel_end" => true,
        "implicit_task" => event.get("endpoint") == Some("begin"),
        _ => false,
    };
    if !is_settled {
        return;
    }
    let chain = chain(walk, event);
    task_levels(walk, &chain, &tasks);
    region_levels(walk, &chain, &regions);
    if event.name == "control_tool" {
        own_view(walk, event);
    }
}

/// The tasks around the thread's code, the executed one first.
fn chain<'l>(walk: &Walk<'l>, event: &Event) -> Vec<&'l str> {
    let mut chain: Vec<&str> = walk.stack(event).iter().rev().copied().collect();
    // A worker's stack begins with an implicit task: around it is the task that encountered its
    // region.
    // The answers show eight levels; a wrong log may have circles.
    while chain.len() < LEVELS {
        let Some(task) = chain.last().and_then(|task| walk.history.tasks.get(task)) else { break };
        let Some(region) = walk.history.regions.get(task.region) else { break };
        if region.is_initial || region.under.is_empty() {
            break;
        }
        chain.extend(region.under.iter().rev());
    }
    chain
}

fn key<'l>(detail: &'l Detail, key: &str) -> &'l str {
    find(&detail.keys, key).unwrap_or_default()
}

fn task_levels<'l>(walk: &mut Walk<'l>, chain: &[&'l str], answers: &[&'l Detail]) {
    let shown: Vec<&str> = answers.iter().map(|answer| key(answer, "task")).collect();
    let wanted = &chain[..chain.len().min(LEVELS)];
    if shown != wanted {
        return walk.say(TASKS, format!("the tasks are {shown:?}, not {wanted:?}"));
    }
    for (level, (answer, task)) in answers.iter().zip(chain).enumerate() {
        let Some(task) = walk.history.tasks.get(task) else { continue };
        let kind = match task.kind {
            Kind::Root | Kind::Target | Kind::Initial(_) => "initial",
            Kind::Implicit(_) => "implicit",
            Kind::Explicit if has(task.flags, "target") => "target",
            Kind::Explicit => "explicit",
        };
        let flags = key(answer, "flags");
        let mut said = Vec::new();
        if !has(flags, kind) {
            said.push(format!("level {level} has the flags {flags}, and is {kind}"));
        }
        let region = key(answer, "parallel");
        let is_root = matches!(task.kind, Kind::Root);
        if region != task.region && !(is_root && region == "null") {
            said.push(format!("level {level} is of the region {region}, not {}", task.region));
        }
        let stack: Vec<&str> = chain[level..].iter().rev().copied().collect();
        let number = match walk.history.executing(&stack) {
            Some(Kind::Implicit(number)) => number,
            _ => 0,
        };
        if key(answer, "thread_num") != number.to_string() {
            said.push(format!("level {level} has another thread number than {number}"));
        }
        said.into_iter().for_each(|said| walk.say(TASKS, said));
    }
}

fn region_levels<'l>(walk: &mut Walk<'l>, chain: &[&'l str], answers: &[&'l Detail]) {
    let mut wanted: Vec<(&str, usize)> = Vec::new();
    let mut task = chain.first().copied();
    while wanted.len() < LEVELS {
        let Some(one) = task.and_then(|task| walk.history.tasks.get(task)) else { break };
        let Some(region) = walk.history.regions.get(one.region) else { break };
        wanted.push((one.region, region.size));
        task = region.encountering;
    }
    let shown: Vec<(&str, usize)> = answers
        .iter()
        .map(|answer| (key(answer, "parallel"), key(answer, "size").parse().unwrap_or(0)))
        .collect();
    if shown != wanted {
        walk.say(REGIONS, format!("the regions and sizes are {shown:?}, not {wanted:?}"));
    }
}

/// Compares what the routines of OpenMP say with what the events say.
fn own_view<'l>(walk: &mut Walk<'l>, event: &'l Event) {
    const CLAUSE: &str = "5.2 §18.2, omp_get_thread_num, omp_get_num_threads, omp_get_level";
    let Some(seen) = Seen::of(event) else { return };
    let Some(task) = walk.current(event).and_then(|task| walk.history.tasks.get(task)) else {
        return walk.say("control-tool", "a probe outside all tasks");
    };
    let alone = Region { size: 1, ..Region::default() };
    let region = walk.history.regions.get(task.region).unwrap_or(&alone);
    let number = match walk.history.executing(walk.stack(event)) {
        Some(Kind::Implicit(number)) => number,
        _ => 0,
    };
    let wanted = Seen {
        iteration: seen.iteration,
        thread_num: number,
        num_threads: if region.is_league { 1 } else { region.size },
        level: region.level,
        active_level: region.active_level,
        in_final: has(task.flags, "final"),
    };
    if seen != wanted {
        walk.say(CLAUSE, format!("the program sees {seen:?}, the events say {wanted:?}"));
    }
}
