//! The lookup of entry points, and callbacks' registration.

use std::ffi::{CStr, c_char};
use std::ptr;

use oxomp_sys::ompt::{
    Duty, EventRow, ompt_callbacks_t, ompt_mutex_impl_none, ompt_set_result_t, ompt_state_t,
};

use super::check::{Forms, Group, check};
use crate::construct::{Form, parallel};
use crate::recorded::start;
use crate::tool::{self, log};
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Lookup and registration",
    checks: &[
        check(
            "lookup",
            Forms::Either,
            "6.0 §32.2.3.1, §36.1",
            "all 19 entry points are known",
            lookup,
        ),
        check(
            "lookup-unknown",
            Forms::Either,
            "6.0 §36.1",
            "an unknown name gives NULL",
            lookup_unknown,
        ),
        check(
            "not-global",
            Forms::Either,
            "6.0 §36.1",
            "entry points are no global symbols",
            not_global,
        ),
        check(
            "mandatory-always",
            Forms::Either,
            "5.1 §4.2.4, 6.0 §32.2.4",
            "ompt_set_callback answers always for the mandatory events",
            mandatory_always,
        ),
        check(
            "legal-answers",
            Forms::Either,
            "6.0 §36.4",
            "ompt_set_callback's answer for every other event is legal",
            legal_answers,
        ),
        check(
            "get-callback",
            Forms::Either,
            "5.0 §4.6.1.4, 6.0 §36.5",
            "ompt_get_callback gives in the initializer what was registered",
            get_callback,
        ),
        check(
            "unregister",
            Forms::Either,
            "6.0 §36.4",
            "a callback is taken back while the program runs",
            unregister,
        ),
        check(
            "states-enumerated",
            Forms::Either,
            "6.0 §36.2, §33.31",
            "ompt_enumerate_states gives every state once, with its name",
            states_enumerated,
        ),
        check(
            "mutex-impls-enumerated",
            Forms::Either,
            "6.0 §36.3",
            "ompt_enumerate_mutex_impls gives an implementation, and ends",
            mutex_impls_enumerated,
        ),
    ],
};

fn lookup(form: Form) -> Verdict {
    start(form)?;
    let unknown = tool::started().unknown;
    if unknown.is_empty() {
        return Ok(());
    }
    missing(format!("the lookup function does not know {}", unknown.join(", ")))
}

fn lookup_unknown(form: Form) -> Verdict {
    start(form)?;
    demand(!tool::started().knows_nonsense, || {
        "the lookup function gives an address for ompt_no_such_entry_point".to_owned()
    })
}

fn not_global(form: Form) -> Verdict {
    start(form)?;
    let global: Vec<String> = tool::NAMES
        .iter()
        .filter(|name| crate::runtime::symbol(name).is_some())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    demand(global.is_empty(), || format!("the runtime exports {}", global.join(", ")))
}

fn names(events: impl Iterator<Item = ompt_callbacks_t>) -> String {
    let names: Vec<&str> =
        events.filter_map(|event| EventRow::of(event).map(|row| row.name)).collect();
    names.join(", ")
}

fn mandatory_always(form: Form) -> Verdict {
    start(form)?;
    let answers = tool::started().answers;
    let is_mandatory = |event| EventRow::of(event).is_some_and(|row| row.duty == Duty::Mandatory);
    let refused = names(
        answers
            .iter()
            .filter(|(event, answer)| is_mandatory(*event) && *answer != ompt_set_result_t::ALWAYS)
            .map(|(event, _)| *event),
    );
    demand(refused.is_empty(), || format!("another answer than always for {refused}"))
}

fn legal_answers(form: Form) -> Verdict {
    start(form)?;
    let illegal = names(
        tool::started()
            .answers
            .iter()
            .filter(|(_, answer)| {
                *answer == ompt_set_result_t::ERROR
                    || *answer == ompt_set_result_t::IMPOSSIBLE
                    || answer.name().is_none()
            })
            .map(|(event, _)| *event),
    );
    demand(illegal.is_empty(), || format!("error, impossible or no result at all for {illegal}"))
}

fn get_callback(form: Form) -> Verdict {
    start(form)?;
    let forgotten = names(tool::started().forgotten.into_iter());
    demand(forgotten.is_empty(), || format!("something else or nothing for {forgotten}"))
}

fn unregister(form: Form) -> Verdict {
    start(form)?;
    let Some(set) = tool::set_callback() else { return missing("no ompt_set_callback") };
    parallel(form, 2, |_| {});
    let event = ompt_callbacks_t::PARALLEL_BEGIN;
    // SAFETY: NULL takes the callback back.
    let answer = unsafe { set(event, None) };
    if answer != ompt_set_result_t::ALWAYS {
        return wrong(format!("the answer for a NULL callback is {}", answer.0));
    }
    let mark = log::mark();
    parallel(form, 2, |_| {});
    if log::since(mark).iter().any(|seen| seen.is(event)) {
        return wrong("the event is still delivered");
    }
    demand(tool::registered_for(event).is_none(), || {
        "ompt_get_callback still says that there is a callback".to_owned()
    })
}

fn states_enumerated(form: Form) -> Verdict {
    start(form)?;
    let Some(enumerate) = tool::enumerate_states() else {
        return missing("no ompt_enumerate_states");
    };
    let all = tool::enumerate(
        |current| {
            let mut next = ompt_state_t(0);
            let mut name: *const c_char = ptr::null();
            // SAFETY: both are writable.
            let more = unsafe { enumerate(ompt_state_t(current), &raw mut next, &raw mut name) };
            (more == 1).then_some((next.0, name))
        },
        ompt_state_t::UNDEFINED.0,
    );
    let seen = |wanted: ompt_state_t| all.iter().find(|(state, _)| *state == wanted.0);
    let absent: Vec<&CStr> = ompt_state_t::NAMES
        .iter()
        .filter(|(state, _)| !OPTIONAL.contains(state) && seen(*state).is_none())
        .map(|(_, name)| *name)
        .collect();
    if !absent.is_empty() {
        let absent: Vec<_> = absent.iter().map(|name| name.to_string_lossy()).collect();
        return missing(format!("not given: {}", absent.join(", ")));
    }
    let mut numbers: Vec<i32> = all.iter().map(|(state, _)| *state).collect();
    numbers.sort_unstable();
    numbers.dedup();
    demand(numbers.len() == all.len(), || "a state is given twice".to_owned())?;
    demand(all.iter().all(|(_, name)| !name.is_empty()), || "a state has no name".to_owned())
}

/// The states that a runtime of 5.1 or later may leave out: deprecated states, states of 6.0, and
/// the state that starts the enumeration.
const OPTIONAL: [ompt_state_t; 5] = [
    ompt_state_t::WORK_FREE_AGENT,
    ompt_state_t::WORK_INDUCTION,
    ompt_state_t::WAIT_BARRIER,
    ompt_state_t::WAIT_BARRIER_IMPLICIT,
    ompt_state_t::UNDEFINED,
];

fn mutex_impls_enumerated(form: Form) -> Verdict {
    start(form)?;
    let Some(enumerate) = tool::enumerate_mutex_impls() else {
        return missing("no ompt_enumerate_mutex_impls");
    };
    let all = tool::enumerate(
        |current| {
            let mut next = 0;
            let mut name: *const c_char = ptr::null();
            // SAFETY: both are writable.
            let more = unsafe { enumerate(current, &raw mut next, &raw mut name) };
            (more == 1).then_some((next, name))
        },
        ompt_mutex_impl_none,
    );
    if all.is_empty() {
        return missing("no implementation is given");
    }
    demand(all.len() < 100, || "the enumeration does not end".to_owned())?;
    demand(all.iter().all(|(_, name)| !name.is_empty()), || {
        "an implementation has no name".to_owned()
    })
}
