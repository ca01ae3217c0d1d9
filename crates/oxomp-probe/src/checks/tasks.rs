//! Explicit tasks: schedules, waits, dependences, detached tasks.

use oxomp_event_order::rule::Rule;
use oxomp_sys::ompt::{ompt_callbacks_t, ompt_dispatch_t, ompt_task_flag_t, ompt_task_status_t};

use super::check::{Forms, Group, check};
use crate::construct::{Dependence, Form, Member, Task, fulfill};
use crate::recorded::{Region, expect, expect_codeptr, only, region, shown};
use crate::tool::event::Event;
use crate::tool::log;
use crate::verdict::{Fault, Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Tasks",
    checks: &[
        check(
            "task-undeferred",
            Forms::Both,
            "6.0 §14.1, §14.14",
            "an undeferred task: created, begun, completed, in this order",
            undeferred,
        ),
        check(
            "task-deferred",
            Forms::Both,
            "6.0 §14.14, §34.5.2",
            "each deferred task is begun and completed once",
            deferred,
        ),
        check(
            "task-create",
            Forms::Both,
            "6.0 §34.5.1",
            "task_create: encountering task, new word, codeptr_ra in the program",
            create,
        ),
        check(
            "taskwait",
            Forms::Both,
            "6.0 §17.5",
            "sync_region and sync_region_wait of taskwait",
            taskwait,
        ),
        check(
            "taskgroup",
            Forms::Both,
            "6.0 §17.4",
            "sync_region and sync_region_wait of taskgroup",
            taskgroup,
        ),
        check(
            "task-dependences",
            Forms::Both,
            "6.0 §34.5.1, §34.7.1",
            "a task with depend: has_dependences, then its dependences",
            dependences,
        ),
        check(
            "task-dependence",
            Forms::Both,
            "6.0 §17.9.5",
            "an unfulfilled dependence is reported between the two tasks",
            dependence,
        ),
        check(
            "taskwait-depend",
            Forms::Both,
            "5.1 §2.19.5, 6.0 §17.5",
            "taskwait depend is a task of its own kind, completed",
            taskwait_depend,
        ),
        check(
            "taskloop",
            Forms::Both,
            "6.0 §14.2",
            "taskloop: inside its taskgroup, work with the iterations around the creations",
            taskloop,
        ),
        check(
            "taskloop-dispatch",
            Forms::Both,
            "5.2 §19.4.4.11, 6.0 §14.2",
            "dispatch reports each task's chunk",
            taskloop_dispatch,
        ),
        check(
            "task-detach-late",
            Forms::Both,
            "6.0 §14.14, §34.5.2",
            "an event fulfilled after the task's code: detach, late_fulfill",
            detach_late,
        ),
        check(
            "task-detach-early",
            Forms::Both,
            "6.0 §14.14, §34.5.2",
            "an event fulfilled in the task's code: early_fulfill, complete",
            detach_early,
        ),
    ],
};

const SYNC: [ompt_callbacks_t; 2] =
    [ompt_callbacks_t::SYNC_REGION, ompt_callbacks_t::SYNC_REGION_WAIT];
const TASKS: [ompt_callbacks_t; 2] =
    [ompt_callbacks_t::TASK_CREATE, ompt_callbacks_t::TASK_SCHEDULE];

fn nothing(_value: usize) {}

/// A region of one thread: its tasks have one order.
fn alone(form: Form, body: impl Fn(Member) + Sync) -> Result<Region, Fault> {
    region(form, 1, body)
}

/// A region in which thread 0 of two makes tasks.
fn by_one_of_two(form: Form, body: impl Fn(Member) + Sync) -> Result<Region, Fault> {
    region(form, 2, move |member| {
        if member.number() == 0 {
            body(member);
        }
    })
}

fn created(region: &Region) -> Vec<Event> {
    only(&region.all, &[ompt_callbacks_t::TASK_CREATE])
}

fn undeferred(form: Form) -> Verdict {
    let clauses = Task { undeferred: true, ..Task::default() };
    let region = by_one_of_two(form, |member| {
        member.task(clauses, nothing, 0);
    })?;
    let seen = only(&region.all, &TASKS);
    expect(&seen, &["task_create", "task_schedule switch", "task_schedule complete"])?;
    // The rules let a thread go on with any task that is not complete; here only one is right.
    let (task, implicit) = (seen[0].other, region.by_index[&0][0].task);
    let switches = [(seen[1].task, seen[1].other), (seen[2].task, seen[2].other)];
    demand(switches == [(implicit, task), (task, implicit)], || {
        format!(
            "prior and next task: {} to {}, {} to {}; the implicit task is {}, the new one {}",
            shown(switches[0].0),
            shown(switches[0].1),
            shown(switches[1].0),
            shown(switches[1].1),
            shown(implicit),
            shown(task)
        )
    })
}

fn deferred(form: Form) -> Verdict {
    let region = by_one_of_two(form, |member| {
        for _ in 0..20 {
            member.task(Task::default(), nothing, 0);
        }
        member.taskwait();
    })?;
    let tasks = created(&region);
    demand(tasks.len() == 20, || format!("{} task_create for 20 tasks", tasks.len()))?;
    let schedules = only(&region.all, &[ompt_callbacks_t::TASK_SCHEDULE]);
    for task in &tasks {
        let begun = schedules.iter().filter(|event| event.other == task.other).count();
        if begun != 1 {
            return wrong(format!("a task is begun {begun} times"));
        }
    }
    let rules = [Rule::TaskSchedule, Rule::TaskComplete, Rule::TaskUncompleted];
    region.keeps(&rules, &TASKS)
}

fn create(form: Form) -> Verdict {
    let region = by_one_of_two(form, |member| {
        member.task(Task::default(), nothing, 0);
        member.taskwait();
    })?;
    let tasks = created(&region);
    expect(&tasks, &["task_create"])?;
    demand(tasks[0].was_fresh, || "the new task's word is not zero at first".to_owned())?;
    region.keeps(&[Rule::CreatingTask], &TASKS)?;
    demand(tasks[0].count == 0, || "has_dependences is set for a task without depend".to_owned())?;
    expect_codeptr(&tasks)
}

/// The sync events of the region's thread 0, without the events of the region's end.
fn sync_of(region: &Region, count: usize) -> Vec<Event> {
    let mut seen = only(&region.by_index[&0], &SYNC);
    seen.truncate(count);
    seen
}

fn taskwait(form: Form) -> Verdict {
    let region = by_one_of_two(form, |member| {
        member.task(Task::default(), nothing, 0);
        member.taskwait();
    })?;
    let seen = sync_of(&region, 4);
    let order = [
        "sync_region begin taskwait",
        "sync_region_wait begin taskwait",
        "sync_region_wait end taskwait",
        "sync_region end taskwait",
    ];
    expect(&seen, &order)?;
    expect_codeptr(&seen)
}

fn taskgroup(form: Form) -> Verdict {
    let region = by_one_of_two(form, |member| {
        member.taskgroup(|| {
            member.task(Task::default(), nothing, 0);
        });
    })?;
    let seen = sync_of(&region, 4);
    let order = [
        "sync_region begin taskgroup",
        "sync_region_wait begin taskgroup",
        "sync_region_wait end taskgroup",
        "sync_region end taskgroup",
    ];
    expect(&seen, &order)?;
    expect_codeptr(&seen)
}

static CELL: u64 = 0;

fn writes() -> Dependence {
    Dependence { address: (&raw const CELL).addr(), writes: true }
}

fn dependences(form: Form) -> Verdict {
    let clauses = Task { depend: Some(writes()), ..Task::default() };
    let region = by_one_of_two(form, |member| {
        member.task(clauses, nothing, 0);
        member.taskwait();
    })?;
    let tasks = created(&region);
    expect(&tasks, &["task_create"])?;
    demand(tasks[0].count == 1, || "has_dependences is 0".to_owned())?;
    let seen = only(&region.all, &[ompt_callbacks_t::DEPENDENCES]);
    expect(&seen, &["dependences"])?;
    demand(seen[0].task == tasks[0].other, || "another task's word".to_owned())?;
    demand(seen[0].count == 1 && seen[0].index == writes().address as u64, || {
        format!("{} dependences, the first on {:#x}", seen[0].count, seen[0].index)
    })?;
    demand(["2", "3"].contains(&seen[0].text.as_str()), || {
        format!("the dependence type is {}, not out (2) or inout (3)", seen[0].text)
    })
}

fn dependence(form: Form) -> Verdict {
    // The first task is begun by the other thread and waits, so the second one's dependence stands.
    use std::sync::atomic::{AtomicBool, Ordering};
    static GO: AtomicBool = AtomicBool::new(false);
    fn wait(_value: usize) {
        while !GO.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    }
    let clauses = Task { depend: Some(writes()), ..Task::default() };
    let region = by_one_of_two(form, |member| {
        member.task(clauses, wait, 0);
        member.task(clauses, nothing, 0);
        GO.store(true, Ordering::Release);
        member.taskwait();
    })?;
    let tasks = created(&region);
    expect(&tasks, &["task_create", "task_create"])?;
    let seen = only(&region.all, &[ompt_callbacks_t::TASK_DEPENDENCE]);
    expect(&seen, &["task_dependence"])?;
    demand((seen[0].task, seen[0].other) == (tasks[0].other, tasks[1].other), || {
        "source and sink are not the two tasks".to_owned()
    })
}

fn taskwait_depend(form: Form) -> Verdict {
    let clauses = Task { depend: Some(writes()), ..Task::default() };
    let region = by_one_of_two(form, |member| {
        member.task(clauses, nothing, 0);
        member.taskwait_for(writes());
    })?;
    let tasks = created(&region);
    let kind = ompt_task_flag_t::TASKWAIT.0;
    let wait = tasks.iter().find(|event| event.flags as u32 & kind != 0);
    let Some(wait) = wait else { return missing("no task_create with the flag taskwait") };
    let completed =
        only(&region.all, &[ompt_callbacks_t::TASK_SCHEDULE]).into_iter().any(|event| {
            event.task == wait.other && event.kind == ompt_task_status_t::TASKWAIT_COMPLETE.0
        });
    demand(completed, || "no task_schedule with the status taskwait_complete".to_owned())?;
    expect_codeptr([wait])
}

const LOOP: [ompt_callbacks_t; 4] = [
    ompt_callbacks_t::TASK_CREATE,
    ompt_callbacks_t::WORK,
    ompt_callbacks_t::SYNC_REGION,
    ompt_callbacks_t::SYNC_REGION_WAIT,
];

fn taskloop(form: Form) -> Verdict {
    let region = by_one_of_two(form, |member| member.taskloop(12, 3, nothing))?;
    let mut seen = only(&region.by_index[&0], &LOOP);
    // The region's end follows.
    seen.truncate(9);
    let order = [
        "sync_region begin taskgroup",
        "work begin taskloop",
        "task_create",
        "task_create",
        "task_create",
        "work end taskloop",
        "sync_region_wait begin taskgroup",
        "sync_region_wait end taskgroup",
        "sync_region end taskgroup",
    ];
    expect(&seen, &order)?;
    demand(seen[1].count == 12, || format!("the count is {}, not 12", seen[1].count))?;
    expect_codeptr(&seen)
}

fn taskloop_dispatch(form: Form) -> Verdict {
    let region = by_one_of_two(form, |member| member.taskloop(12, 3, nothing))?;
    let seen = only(&region.all, &[ompt_callbacks_t::DISPATCH]);
    if seen.is_empty() {
        return missing("no dispatch event");
    }
    let mut chunks: Vec<(u64, u64)> = seen
        .iter()
        .filter(|event| event.kind == ompt_dispatch_t::TASKLOOP_CHUNK.0)
        .map(|event| (event.index, event.count))
        .collect();
    chunks.sort_unstable();
    demand(chunks == [(0, 4), (4, 4), (8, 4)], || {
        format!("start and length of the chunks of 0..12 in three tasks: {chunks:?}")
    })
}

fn schedules(region: &Region) -> Vec<Event> {
    only(&region.all, &[ompt_callbacks_t::TASK_SCHEDULE])
}

fn detach_late(form: Form) -> Verdict {
    let clauses = Task { detach: true, ..Task::default() };
    let region = alone(form, |member| {
        // A thread alone runs the task at once, or in its taskyield.
        let handle = member.task(clauses, nothing, 0);
        if handle != 0 {
            member.yield_to_tasks();
            fulfill(handle);
        }
    })?;
    let seen = schedules(&region);
    let Some(task) = created(&region).first().map(|event| event.other) else {
        return missing("no task_create");
    };
    let own: Vec<&Event> = seen.iter().filter(|event| event.task == task).collect();
    let texts: Vec<String> = own.iter().map(ToString::to_string).collect();
    demand(texts == ["task_schedule detach", "task_schedule late_fulfill"], || {
        format!("seen for the task: {}", texts.join(", "))
    })?;
    demand(own[1].other.is_none(), || "late_fulfill has a next task".to_owned())
}

fn detach_early(form: Form) -> Verdict {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static HANDLE: AtomicUsize = AtomicUsize::new(0);
    fn body(_value: usize) {
        if log::wait_until(|| HANDLE.load(Ordering::Acquire) != 0) {
            fulfill(HANDLE.load(Ordering::Acquire));
        }
    }
    // The other thread, or this one in its taskwait, runs the task: the handle is known then.
    let clauses = Task { detach: true, ..Task::default() };
    let region = by_one_of_two(form, |member| {
        HANDLE.store(member.task(clauses, body, 0), Ordering::Release);
        member.taskwait();
    })?;
    demand(HANDLE.load(Ordering::Acquire) != 0, || "the task has no event".to_owned())?;
    let Some(task) = created(&region).first().map(|event| event.other) else {
        return missing("no task_create");
    };
    let own: Vec<String> = schedules(&region)
        .iter()
        .filter(|event| event.task == task)
        .map(ToString::to_string)
        .collect();
    demand(own == ["task_schedule early_fulfill", "task_schedule complete"], || {
        format!("seen for the task: {}", own.join(", "))
    })
}
