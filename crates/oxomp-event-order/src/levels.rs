//! The answers of `ompt_get_task_info` and `ompt_get_parallel_info`.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_task_flag_t};

use crate::event::{Event, Object};
use crate::history::Kind;
use crate::rule::Rule;
use crate::run::Run;

/// How many levels the tool asks for.
const LEVELS: usize = 8;

/// Checks the answers in an event's callback.
pub(crate) fn check(run: &mut Run<'_>, event: &Event) {
    let is_settled = match event.code {
        ompt_callbacks_t::CONTROL_TOOL | ompt_callbacks_t::PARALLEL_END => true,
        ompt_callbacks_t::IMPLICIT_TASK => event.begins(),
        _ => false,
    };
    if is_settled && run.applies(&[Rule::TaskInfo, Rule::ParallelInfo]) {
        let chain = chain(run, event);
        tasks(run, event, &chain);
        regions(run, event, &chain);
    }
}

/// The tasks around the thread's code, the executed one first.
fn chain(run: &Run<'_>, event: &Event) -> Vec<Object> {
    let mut chain: Vec<Object> = run.stack(event.thread).iter().rev().copied().collect();
    // A worker's stack begins with an implicit task: around it is the task that encountered its
    // region. The answers have `LEVELS` levels; a wrong recording may have circles.
    while chain.len() < LEVELS {
        let region = chain.last().and_then(|task| run.history.region_of(*task));
        let Some(region) = region.filter(|it| !it.is_initial && !it.under.is_empty()) else {
            break;
        };
        chain.extend(region.under.iter().rev());
    }
    chain
}

fn tasks(run: &mut Run<'_>, event: &Event, chain: &[Object]) {
    let wanted = &chain[..chain.len().min(LEVELS)];
    if !event.tasks.iter().map(|answer| &answer.task).eq(wanted) {
        let answers = event.tasks.iter().map(|answer| answer.task);
        let said = format!("the tasks are {}, not {}", list(answers), list(wanted.iter().copied()));
        return run.say(Rule::TaskInfo, said);
    }
    let mut said = Vec::new();
    for (level, (answer, task)) in event.tasks.iter().zip(chain).enumerate() {
        let Some(task) = run.history.tasks.get(task) else { continue };
        let kind = match task.kind {
            Kind::Root | Kind::Target | Kind::Initial(_) => ompt_task_flag_t::INITIAL,
            Kind::Implicit(_) => ompt_task_flag_t::IMPLICIT,
            Kind::Explicit if task.has(ompt_task_flag_t::TARGET) => ompt_task_flag_t::TARGET,
            Kind::Explicit => ompt_task_flag_t::EXPLICIT,
        };
        if !answer.flags.contains(kind) {
            said.push(format!("level {level} has the flags {}, and is {kind}", answer.flags));
        }
        let region = answer.parallel;
        let is_left_out = task.kind == Kind::Root && region == Object::Null;
        if region != task.region && !is_left_out {
            said.push(format!("level {level} is of the region {region}, not {}", task.region));
        }
        let stack: Vec<Object> = chain[level..].iter().rev().copied().collect();
        let number = run.history.thread_num(&stack);
        if u64::try_from(answer.thread_num) != Ok(number) {
            said.push(format!("level {level} has another thread number than {number}"));
        }
    }
    said.into_iter().for_each(|said| run.say(Rule::TaskInfo, said));
}

fn regions(run: &mut Run<'_>, event: &Event, chain: &[Object]) {
    let mut wanted: Vec<(Object, u64)> = Vec::new();
    let mut task = chain.first().copied();
    while wanted.len() < LEVELS {
        let Some(one) = task.and_then(|task| run.history.tasks.get(&task)) else { break };
        let Some(region) = run.history.regions.get(&one.region) else { break };
        wanted.push((one.region, region.size));
        task = region.encountering;
    }
    if event.regions != wanted {
        let shown = |list: &[(Object, u64)]| {
            let each = list.iter().map(|(region, size)| format!("{region} of {size}"));
            each.collect::<Vec<_>>().join(", ")
        };
        let said =
            format!("the regions and sizes are {}, not {}", shown(&event.regions), shown(&wanted));
        run.say(Rule::ParallelInfo, said);
    }
}

fn list(objects: impl Iterator<Item = Object>) -> String {
    objects.map(|object| object.to_string()).collect::<Vec<_>>().join(", ")
}
