//! The state of the thread inside a callback.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_mutex_t, ompt_state_t, ompt_sync_region_t};

use crate::event::Event;
use crate::history::Kind;
use crate::rule::Rule;
use crate::run::Run;

const LOCKS: [ompt_mutex_t; 4] = [
    ompt_mutex_t::LOCK,
    ompt_mutex_t::TEST_LOCK,
    ompt_mutex_t::NEST_LOCK,
    ompt_mutex_t::TEST_NEST_LOCK,
];

/// Checks that the state fits the constructs that the thread is in.
pub(crate) fn check(run: &mut Run<'_>, event: &Event) {
    let thread = run.threads.get(&event.thread);
    let Some(thread) = thread.filter(|_| run.applies(&[Rule::State])) else { return };
    // Leagues and target regions do not count as parallel regions.
    let executing = run.history.executing(&thread.stack);
    let in_parallel = matches!(executing, Some(Kind::Implicit(_)));
    let state = event.state;
    if !is_right(run, event, in_parallel, thread.asked) {
        let said = format!("the state is {} in {}", shown(state), event.name());
        run.say(Rule::State, said);
    }
    if event.code == ompt_callbacks_t::CONTROL_TOOL {
        let wanted =
            if in_parallel { ompt_state_t::WORK_PARALLEL } else { ompt_state_t::WORK_SERIAL };
        if state != wanted {
            let (state, wanted) = (shown(state), shown(wanted));
            let said = format!("the program's code is executed in {state}, not {wanted}");
            run.say(Rule::State, said);
        }
    }
}

fn is_right(run: &Run<'_>, event: &Event, in_parallel: bool, asked: Option<ompt_mutex_t>) -> bool {
    let own = event.sync_region().filter(|_| event.code == ompt_callbacks_t::SYNC_REGION);
    let is_open = |kind: ompt_sync_region_t| {
        own == Some(kind) || run.open_on(event.thread).any(|open| open == kind)
    };
    let is_asked = |wanted: &[ompt_mutex_t]| {
        [asked, event.mutex()].into_iter().flatten().any(|kind| wanted.contains(&kind))
    };
    let at_border = matches!(
        event.code,
        ompt_callbacks_t::THREAD_BEGIN
            | ompt_callbacks_t::THREAD_END
            | ompt_callbacks_t::IMPLICIT_TASK
    );
    match event.state {
        ompt_state_t::UNDEFINED | ompt_state_t::IDLE => at_border,
        ompt_state_t::OVERHEAD | ompt_state_t::WORK_REDUCTION => true,
        ompt_state_t::WORK_SERIAL => !in_parallel || at_border,
        ompt_state_t::WORK_PARALLEL => in_parallel || event.code == ompt_callbacks_t::PARALLEL_END,
        ompt_state_t::WAIT_BARRIER_EXPLICIT => is_open(ompt_sync_region_t::BARRIER_EXPLICIT),
        ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE => {
            is_open(ompt_sync_region_t::BARRIER_IMPLICIT_WORKSHARE)
        }
        ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL => {
            is_open(ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL) || at_border
        }
        ompt_state_t::WAIT_BARRIER_TEAMS => is_open(ompt_sync_region_t::BARRIER_TEAMS) || at_border,
        ompt_state_t::WAIT_BARRIER_IMPLEMENTATION => {
            is_open(ompt_sync_region_t::BARRIER_IMPLEMENTATION)
        }
        // An undeferred task waits for its predecessors, without an event of its own.
        ompt_state_t::WAIT_TASKWAIT => {
            is_open(ompt_sync_region_t::TASKWAIT) || event.code == ompt_callbacks_t::TASK_SCHEDULE
        }
        ompt_state_t::WAIT_TASKGROUP => is_open(ompt_sync_region_t::TASKGROUP),
        ompt_state_t::WAIT_LOCK => is_asked(&LOCKS),
        ompt_state_t::WAIT_CRITICAL => is_asked(&[ompt_mutex_t::CRITICAL]),
        ompt_state_t::WAIT_ATOMIC => is_asked(&[ompt_mutex_t::ATOMIC]),
        ompt_state_t::WAIT_ORDERED => is_asked(&[ompt_mutex_t::ORDERED]),
        ompt_state_t::WAIT_TARGET
        | ompt_state_t::WAIT_TARGET_MAP
        | ompt_state_t::WAIT_TARGET_UPDATE => event.name().starts_with("target"),
        _ => false,
    }
}

fn shown(state: ompt_state_t) -> String {
    let name = state.name().and_then(|name| name.to_str().ok());
    let name = name.map(|name| name.trim_start_matches("ompt_state_"));
    name.map_or_else(|| format!("{:#x}", state.0), str::to_owned)
}
