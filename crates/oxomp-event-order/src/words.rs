//! Data words: each is of the tool, and the task and the region that an event names are those that
//! its thread is in.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_sync_region_t};

use crate::event::{Event, Object};
use crate::rule::Rule;
use crate::run::{Run, shown};

/// Checks the words that an event and the answers in its callback show.
pub(crate) fn objects(run: &mut Run<'_>, event: &Event) {
    let is_bad = |object| matches!(object, Object::Unannounced | Object::Foreign(_));
    let own = [("parallel", event.parallel), ("task", event.task), ("other task", event.other)];
    for (what, object) in own.into_iter().filter(|(_, object)| is_bad(*object)) {
        run.say(Rule::DataWord, format!("{what} is {object}"));
    }
    let tasks = event.tasks.iter().flat_map(|level| [level.task, level.parallel]);
    let answers = tasks.chain(event.regions.iter().map(|(region, _)| *region));
    for object in answers.filter(|object| is_bad(*object)) {
        run.say(Rule::DataWord, format!("an entry point answers {object}"));
    }
    if event.dirty != 0 {
        run.say(Rule::DataWord, format!("a new object's word is {:#x}", event.dirty));
    }
    if !event.has_own_thread_word {
        run.say(Rule::ThreadData, "the thread's word is wrong");
    }
}

/// Checks that the task and the region are those that the thread is in.
pub(crate) fn place(run: &mut Run<'_>, event: &Event) {
    match event.code {
        ompt_callbacks_t::PARALLEL_BEGIN | ompt_callbacks_t::PARALLEL_END => {
            run.executes(Rule::EncounteringTask, event, "encountering_task_data");
        }
        ompt_callbacks_t::TASK_CREATE => {
            run.executes(Rule::CreatingTask, event, "encountering_task_data");
        }
        ompt_callbacks_t::WORK
        | ompt_callbacks_t::DISPATCH
        | ompt_callbacks_t::SYNC_REGION
        | ompt_callbacks_t::SYNC_REGION_WAIT
        | ompt_callbacks_t::REDUCTION
        | ompt_callbacks_t::MASKED => {
            run.executes(Rule::TaskData, event, "task_data");
            parallel(run, event);
        }
        ompt_callbacks_t::CANCEL if !event.discards() => {
            run.executes(Rule::CancellingTask, event, "task_data");
        }
        _ => {}
    }
}

fn parallel(run: &mut Run<'_>, event: &Event) {
    let current = run.current(event.thread).and_then(|task| run.history.tasks.get(&task));
    let region = current.map(|task| task.region);
    let closing =
        [ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL, ompt_sync_region_t::BARRIER_TEAMS];
    let closes = event.sync_region().is_some_and(|kind| closing.contains(&kind));
    let is_null = event.parallel == Object::Null;
    match (closes, event.code) {
        (true, ompt_callbacks_t::SYNC_REGION) if event.ends() => {
            if !is_null {
                let said = "parallel_data is NULL at the end of a region's barrier";
                run.say(Rule::ParallelData, said);
            }
        }
        (true, ompt_callbacks_t::SYNC_REGION_WAIT) if is_null => {}
        _ if Some(event.parallel) == region => {}
        _ => run.say(
            Rule::ParallelData,
            format!("parallel_data is {}, the task's region {}", event.parallel, shown(region)),
        ),
    }
}
