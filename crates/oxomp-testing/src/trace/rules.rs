//! The rules that the events of every test program must keep.
//!
//! Begin and end are nested in each task, objects are announced once and before their use, a region
//! has as many threads as it reports, and a league as many initial tasks, with the numbers below
//! that, each thread's task switches agree with the tasks of its events, every explicit task is
//! completed once, and a task's enter frame is below its exit frame.
//!
//! `oxomp-event-order` judges by them. Its other rules are applied to random programs alone
//! (`fuzz::check`).

use oxomp_event_order::judge::judge;
use oxomp_event_order::rule::Rule;

use crate::trace::log::{Log, find};
use crate::trace::told;

const RULES: [Rule; 20] = [
    Rule::DataWord,
    Rule::ThreadData,
    Rule::ThreadBegin,
    Rule::ThreadEnd,
    Rule::ThreadUnended,
    Rule::ParallelBegin,
    Rule::ParallelEnd,
    Rule::Team,
    Rule::ImplicitTask,
    Rule::ImplicitTaskEnd,
    Rule::CreatingTask,
    Rule::TaskData,
    Rule::Nesting,
    Rule::TaskCreate,
    Rule::TaskSchedule,
    Rule::TaskDetached,
    Rule::TaskComplete,
    Rule::TaskUncompleted,
    Rule::MutexAcquired,
    Rule::FrameOrder,
];

/// Checks a log against the rules.
///
/// # Errors
///
/// The first violation: the rule, and the events that break it.
pub fn check(log: &Log) -> Result<(), String> {
    let (_, found) = judge(&told::events(log), &RULES);
    let Some(first) = found.first() else { return Ok(()) };
    let events = first.events.iter().map(|at| format!("  > {}\n", log.events[*at]));
    Err(format!("{first}:\n{}", events.collect::<String>()))
}

/// Whether the runtime has every entry point and answers registrations as the specification says.
///
/// # Errors
///
/// Names the missing entry points and the wrong answers.
pub fn check_registration(log: &Log) -> Result<(), String> {
    if let Some(name) = log.missing_entry_points.first() {
        return Err(format!("the entry point {name} is missing"));
    }
    const ALWAYS: [&str; 5] =
        ["thread_begin", "thread_end", "parallel_begin", "parallel_end", "implicit_task"];
    match ALWAYS.iter().find(|name| find(&log.callbacks, name) != Some("always")) {
        Some(name) => Err(format!("ompt_set_callback({name}) did not answer `always`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::trace::log::parse;

    const TEAM: [&str; 12] = [
        "0 thread_begin type=initial",
        "0 implicit_task endpoint=begin parallel=p1 task=t1 parallelism=1 index=1 flags=initial",
        "0 parallel_begin parallel=p2",
        "0 implicit_task endpoint=begin parallel=p2 task=t2 parallelism=1 index=0 flags=implicit",
        "0 work type=loop_static endpoint=begin task=t2",
        "0 work type=loop_static endpoint=end task=t2",
        "0 mutex_acquire kind=critical wait_id=w1",
        "0 mutex_acquired kind=critical wait_id=w1",
        "0 implicit_task endpoint=end parallel=null task=t2 parallelism=0 index=0 flags=implicit",
        "0 parallel_end parallel=p2",
        "0 implicit_task endpoint=end parallel=null task=t1 parallelism=0 index=1 flags=initial",
        "0 thread_end thread_data=ok",
    ];

    /// Within the initial task: one task that is run, and one that is detached and fulfilled.
    const TASKS: [&str; 10] = [
        "0 thread_begin type=initial",
        "0 implicit_task endpoint=begin parallel=p1 task=t1 parallelism=1 index=1 flags=initial",
        "0 task_create task=t2 encountering_task=t1",
        "0 task_create task=t3 encountering_task=t1",
        "0 task_schedule prior=t1 status=switch next=t2",
        "0 task_schedule prior=t2 status=complete next=t3",
        "0 task_schedule prior=t3 status=detach next=t1",
        "5 task_schedule prior=t3 status=late_fulfill next=null",
        "0 implicit_task endpoint=end parallel=null task=t1 parallelism=0 index=1 flags=initial",
        "0 thread_end thread_data=ok",
    ];

    #[test]
    fn threads_go_from_task_to_task() {
        assert_eq!(checked(&TASKS.map(str::to_owned)), Ok(()));
        for (line, from, to, wanted) in [
            (2, "task_create task=t2", "flush", "nothing has created"),
            (2, "encountering_task=t1", "encountering_task=t9", "executes t1"),
            (3, "task=t3", "task=t2", "created twice"),
            (4, "prior=t1", "prior=t3", "executes t1"),
            (5, "complete", "switch", "t2 is never completed"),
            (6, "detach", "complete", "completed twice"),
            (6, "next=t1", "next=t2", "goes on, which is complete"),
            (7, "late", "early", "is over but for its event"),
            (7, "task_schedule", "thread_begin", "t3 is never completed"),
            (7, "prior=t3", "prior=t2", "completed twice"),
        ] {
            let mut events = TASKS.map(str::to_owned);
            events[line] = events[line].replace(from, to);
            let error = checked(&events).expect_err(wanted);
            assert!(error.contains(wanted), "{wanted}: {error}");
        }
    }

    fn checked(events: &[String]) -> Result<(), String> {
        let mut text: String = (0..)
            .zip(events)
            .map(|(seq, event): (usize, _)| format!("{seq} thread={event}\n"))
            .collect();
        text += &format!("# end events={} dropped=0\n", events.len());
        check(&parse(&text).expect("a right log"))
    }

    #[test]
    fn a_right_log_passes() {
        assert_eq!(checked(&TEAM.map(str::to_owned)), Ok(()));
    }

    #[test]
    fn a_discarded_task_is_complete() {
        let discarded = "0 cancel task=t2 flags=taskgroup,discarded_task".to_owned();
        let mut events = TASKS.map(str::to_owned).to_vec();
        events[4] = discarded.clone();
        events[5] = "0 task_schedule prior=t1 status=switch next=t3".to_owned();
        assert_eq!(checked(&events), Ok(()));
        events.insert(4, discarded);
        let error = checked(&events).expect_err("it is discarded twice");
        assert!(error.contains("completed twice"), "{error}");
    }

    #[test]
    fn a_league_has_initial_tasks() {
        let mut league = TEAM.map(str::to_owned);
        league[2] += " flags=invoker_runtime,league";
        league[3] = league[3].replace("flags=implicit", "flags=initial");
        league[8] = league[8].replace("flags=implicit", "flags=initial");
        assert_eq!(checked(&league), Ok(()));
        for (line, from, to, around) in [
            (2, "league", "team", "in a team"),
            (3, "flags=initial", "flags=implicit", "in a league"),
        ] {
            let mut events = league.clone();
            events[line] = events[line].replace(from, to);
            assert!(checked(&events).expect_err("wrong").contains(around));
        }
        league[3] = league[3].replace("parallelism=1", "parallelism=2");
        assert!(checked(&league).expect_err("too few").contains("implicit tasks [0]"));
    }

    #[test]
    fn each_rule_has_an_effect() {
        for (line, from, to, wanted) in [
            (0, "thread_begin type=initial", "flush", "before its thread_begin"),
            (3, "parallelism=1", "parallelism=2", "implicit tasks [0]"),
            (3, "index=0", "index=1", "in a team of 1"),
            (3, "parallel=p2", "parallel=p7", "not begun"),
            (3, "task=t2", "task=t1", "begins twice"),
            (4, "task=t2", "task=bad:0x1", "task is bad"),
            (5, "loop_static", "loop_dynamic", "still open"),
            (5, "task=t2", "task=t1", "executes t2"),
            (7, "w1", "w2", "asked for the critical w1"),
            (9, "p2", "p1", "not begun"),
            (9, "parallel_end", "flush", "has no end"),
            (10, "implicit_task", "flush", "inside a task"),
            (11, "thread_end thread_data=ok", "flush", "has no end"),
            (11, "ok", "wrong", "word is wrong"),
        ] {
            let mut events = TEAM.map(str::to_owned);
            events[line] = events[line].replace(from, to);
            let error = checked(&events).expect_err(wanted);
            assert!(error.contains(wanted), "{wanted}: {error}");
        }
    }
}
