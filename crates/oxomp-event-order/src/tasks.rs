//! Explicit tasks: their creation, their switches, their completion.

use oxomp_sys::ompt::{ompt_task_flag_t, ompt_task_status_t};

use crate::event::{Event, Object};
use crate::history::{Kind, Task};
use crate::nesting;
use crate::rule::Rule;
use crate::run::Run;

/// Creates a task.
pub(crate) fn create(run: &mut Run<'_>, event: &Event) {
    let at = run.at;
    let creator = run.history.tasks.get(&event.task);
    let region = creator.map_or(Object::Null, |task| task.region);
    let task = Task::new(Kind::Explicit, region, event, at);
    if let Some(before) = run.history.tasks.insert(event.other, task) {
        run.say_of(Rule::TaskCreate, "a task is created twice", &[at, before.begun]);
    }
}

/// Switches a thread from one task to another.
pub(crate) fn schedule(run: &mut Run<'_>, event: &Event) {
    let (prior, next) = (event.task, event.other);
    let status = ompt_task_status_t(event.kind);
    if status == ompt_task_status_t::TASKWAIT_COMPLETE {
        // No thread executes the task of a taskwait.
        complete(run, prior);
        if next != Object::Null {
            run.say(Rule::TaskScheduleAgrees, "no task goes on with taskwait_complete");
        }
        return;
    }
    run.executes(Rule::TaskSchedule, event, "prior_task_data");
    let mut ends = true;
    match status {
        ompt_task_status_t::COMPLETE | ompt_task_status_t::CANCEL => complete(run, prior),
        ompt_task_status_t::DETACH => {
            if let Some(task) = run.history.tasks.get_mut(&prior) {
                task.is_detached = true;
            }
        }
        ompt_task_status_t::SWITCH | ompt_task_status_t::YIELD => ends = false,
        ompt_task_status_t(other) => {
            ends = false;
            run.say(Rule::TaskScheduleAgrees, format!("no status of this event: {other}"));
        }
    }
    if ends && run.stack(event.thread).len() < 2 {
        run.say(Rule::TaskSchedule, "an implicit task is completed");
    }
    let stack = &mut run.threads.entry(event.thread).or_default().stack;
    if ends {
        stack.pop();
    }
    match stack.iter().rposition(|task| *task == next) {
        // The tasks above it are untied, and are left unfinished.
        Some(position) => stack.truncate(position + 1),
        None => stack.push(next),
    }
    resume(run, event.thread, next);
}

/// Lets a task go on.
fn resume(run: &mut Run<'_>, thread: usize, name: Object) {
    let at = run.at;
    let Some(task) = run.history.tasks.get_mut(&name) else {
        let said = format!("{name} goes on, which nothing has created");
        return run.say(Rule::TaskSchedule, said);
    };
    let is_elsewhere = task.thread != thread && !task.has(ompt_task_flag_t::UNTIED);
    let has_run = task.first_run.is_some();
    task.first_run.get_or_insert(at);
    task.thread = thread;
    let (over, is_detached) = (task.over, task.is_detached);
    if let Some(over) = over {
        let said = format!("{name} goes on, which is complete");
        run.say_of(Rule::TaskSchedule, said, &[at, over]);
    } else if is_detached {
        run.say(Rule::TaskDetached, format!("{name} goes on, whose body is over"));
    } else if has_run && is_elsewhere {
        let said = format!("{name}, which is tied, goes on on another thread");
        run.say(Rule::TaskTied, said);
    }
}

/// Fulfils the event of a task.
pub(crate) fn fulfil(run: &mut Run<'_>, event: &Event) {
    if event.other != Object::Null {
        run.say(Rule::TaskScheduleAgrees, "no task goes on when an event is fulfilled");
    }
    let task = run.history.tasks.get(&event.task);
    let (is_over, is_detached) =
        task.map_or((true, false), |task| (task.over.is_some(), task.is_detached));
    let is_late = event.status() == Some(ompt_task_status_t::LATE_FULFILL);
    if is_late {
        complete(run, event.task);
    }
    if is_late != is_detached || !is_late && is_over {
        let when = if is_late { "late" } else { "early" };
        let what = match (is_over, is_detached) {
            (true, _) => "is complete or was never created",
            (false, true) => "is over but for its event",
            (false, false) => "is not over",
        };
        let said = format!("the event of {}, which {what}, is fulfilled {when}", event.task);
        run.say(Rule::TaskDetached, said);
    }
}

/// Throws a task away that has not run.
pub(crate) fn discard(run: &mut Run<'_>, event: &Event) {
    match run.history.tasks.get_mut(&event.task) {
        Some(task) if task.first_run.is_none() => task.is_discarded = true,
        _ => run.say(Rule::TaskDiscard, format!("{} is discarded, which has run", event.task)),
    }
    complete(run, event.task);
}

fn complete(run: &mut Run<'_>, name: Object) {
    nesting::over(run, name);
    let at = run.at;
    match run.history.tasks.get_mut(&name) {
        Some(task) if task.over.is_none() => task.over = Some(at),
        Some(task) => {
            let events = [at, task.over.unwrap_or(at)];
            run.say_of(Rule::TaskComplete, format!("{name} is completed twice"), &events);
        }
        None => {
            let said = format!("{name} is completed, which nothing has created");
            run.say(Rule::TaskComplete, said);
        }
    }
}

/// Checks that every task is complete.
pub(crate) fn at_end(run: &mut Run<'_>) {
    let open = run.history.tasks.iter().filter(|(_, task)| task.over.is_none());
    let open: Vec<_> = open.map(|(name, task)| (*name, task.begun)).collect();
    for (name, begun) in open {
        let said = format!("{name} is never completed");
        run.say_of(Rule::TaskUncompleted, said, &[begun]);
    }
}
