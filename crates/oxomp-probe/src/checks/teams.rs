//! Leagues on the host.

use std::collections::BTreeSet;

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_parallel_flag_t, ompt_task_flag_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, league};
use crate::recorded::{expect_codeptr, start};
use crate::tool::event::Event;
use crate::tool::log;
use crate::verdict::{Fault, Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Teams",
    checks: &[
        check(
            "teams-league",
            Forms::Both,
            "6.0 §12.2, §33.22",
            "parallel_begin and parallel_end of a league, with flags and number",
            league_events,
        ),
        check(
            "teams-no-extra",
            Forms::Both,
            "6.0 §12.2",
            "no parallel_begin besides that of the league",
            no_extra,
        ),
        check(
            "teams-initial-tasks",
            Forms::Both,
            "6.0 §12.2, §34.5.3",
            "each team's initial task has the number of teams and its own",
            initial_tasks,
        ),
        check(
            "teams-codeptr",
            Forms::Both,
            "6.0 §34.3",
            "codeptr_ra of the league lies in the program",
            codeptr,
        ),
        check(
            "teams-distribute",
            Forms::Clang,
            "6.0 §13.7, §34.4.1",
            "work begin and end of distribute, with the number of iterations",
            distribute,
        ),
    ],
};

fn run(form: Form, body: impl Fn(crate::construct::Member) + Sync) -> Result<Vec<Event>, Fault> {
    start(form)?;
    let mark = log::mark();
    league(form, 2, body);
    log::wait_for(mark, |events| initial_task_events(events, false).len() >= 2);
    Ok(log::since(mark))
}

fn begin(events: &[Event]) -> Result<&Event, Fault> {
    let is_league = |event: &&Event| {
        event.is(ompt_callbacks_t::PARALLEL_BEGIN)
            && event.flags as u32 & ompt_parallel_flag_t::LEAGUE.0 != 0
    };
    match events.iter().find(is_league) {
        Some(begin) => Ok(begin),
        None => missing("no parallel_begin with the flag of a league"),
    }
}

fn end(events: &[Event]) -> Result<&Event, Fault> {
    let is_league = |event: &&Event| {
        event.is(ompt_callbacks_t::PARALLEL_END)
            && event.flags as u32 & ompt_parallel_flag_t::LEAGUE.0 != 0
    };
    match events.iter().find(is_league) {
        Some(end) => Ok(end),
        None => missing("no parallel_end with the flag of a league"),
    }
}

fn initial_task_events(events: &[Event], begins: bool) -> Vec<&Event> {
    events
        .iter()
        .filter(|event| {
            event.is(ompt_callbacks_t::IMPLICIT_TASK)
                && event.begins() == begins
                && event.flags as u32 & ompt_task_flag_t::INITIAL.0 != 0
        })
        .collect()
}

fn league_events(form: Form) -> Verdict {
    let events = run(form, |_| {})?;
    let (begin, end) = (begin(&events)?, end(&events)?);
    demand(begin.count == 2, || {
        format!("requested_parallelism is {} for num_teams(2)", begin.count)
    })?;
    let invokers =
        ompt_parallel_flag_t::INVOKER_PROGRAM.0 | ompt_parallel_flag_t::INVOKER_RUNTIME.0;
    demand((begin.flags as u32 & invokers).count_ones() == 1, || {
        format!("flags {:#x} name not exactly one invoker", begin.flags)
    })?;
    demand(begin.parallel == end.parallel && begin.task == end.task, || {
        "begin and end have different words".to_owned()
    })
}

fn no_extra(form: Form) -> Verdict {
    let events = run(form, |_| {})?;
    begin(&events)?;
    let count = events.iter().filter(|event| event.is(ompt_callbacks_t::PARALLEL_BEGIN)).count();
    demand(count == 1, || format!("{count} parallel_begin for one teams construct"))
}

fn initial_tasks(form: Form) -> Verdict {
    let events = run(form, |_| {})?;
    begin(&events)?;
    let begins = initial_task_events(&events, true);
    let teams: BTreeSet<u64> =
        begins.iter().filter(|event| event.count == 2).map(|event| event.index).collect();
    if teams != BTreeSet::from([0, 1]) {
        let seen: Vec<_> = begins.iter().map(|event| (event.count, event.index)).collect();
        return wrong(format!("actual_parallelism and index of the initial tasks: {seen:?}"));
    }
    let ends = initial_task_events(&events, false);
    for task in begins.iter().filter(|event| event.count == 2) {
        if !ends.iter().any(|end| end.task == task.task && end.count == 0) {
            return missing(format!("the initial task of team {} has no end", task.index));
        }
    }
    Ok(())
}

fn codeptr(form: Form) -> Verdict {
    let events = run(form, |_| {})?;
    expect_codeptr([begin(&events)?, end(&events)?])
}

fn distribute(form: Form) -> Verdict {
    let events = run(form, |member| member.distribute(20))?;
    let work: Vec<&Event> =
        events.iter().filter(|event| event.is(ompt_callbacks_t::WORK)).collect();
    if work.is_empty() {
        return missing("no work event");
    }
    let texts: Vec<String> = work.iter().map(ToString::to_string).collect();
    let begins = texts.iter().filter(|text| *text == "work begin distribute").count();
    let ends = texts.iter().filter(|text| *text == "work end distribute").count();
    demand((begins, ends, texts.len()) == (2, 2, 4), || format!("seen: {}", texts.join(", ")))?;
    demand(work.iter().all(|event| !event.begins() || event.count == 20), || {
        format!("the number of iterations is {}, not 20", work[0].count)
    })
}
