//! The rules that the events of every program must keep by the interface of the 2015 report, and by
//! what oxomp adds where the report leaves a choice.
//!
//! A thread's events begin with its begin and end with its end; while a thread is idle or a task
//! waits nothing else happens there; identifiers are new where objects begin; begin and end are
//! nested in each task; task switches agree with the tasks of a thread's events; a region has as
//! many implicit tasks as threads; a wait for a mutex ends with its acquisition; the shutdown is
//! the last event.
//!
//! Each rule reads the whole log by itself, and returns the first event that breaks it. Two tools
//! write such logs: `oxomp-recorder`, for the programs that list events of the report ([`check`]),
//! and `recorder.c` of the test `report_2015_events`, which moreover asks the entry points in each
//! callback ([`CONTEXT`]).

mod context;
mod event;
mod mutexes;
mod nesting;
mod regions;
mod switches;
mod tasks;
#[cfg(test)]
mod tests;
mod threads;

use self::event::broken;
use crate::trace::log::{Log, find};

/// A rule: its name, and the check.
pub type Rule = (&'static str, fn(&Log) -> Result<(), String>);

/// The rules for the log of any tool.
pub const RULES: [Rule; 7] = [
    ("identifiers", identifiers),
    ("threads", threads::check),
    ("regions", regions::check),
    ("tasks", tasks::check),
    ("switches", switches::check),
    ("nesting", nesting::check),
    ("mutexes", mutexes::check),
];

/// The rule for the answers of the entry points in each callback.
pub const CONTEXT: Rule = ("context", context::check);

/// The events that every runtime has to deliver.
const MANDATORY: [&str; 10] = [
    "parallel_begin",
    "parallel_end",
    "task_begin",
    "task_end",
    "thread_begin",
    "thread_end",
    "control",
    "runtime_shutdown",
    "target_task_begin",
    "target_task_end",
];

/// Checks a log of `oxomp-recorder` against the rules, and the runtime's answers before it.
///
/// # Errors
///
/// The first rule that is broken, with the event; or the answer that is wrong.
pub fn check(log: &Log) -> Result<(), String> {
    if let Some(name) = log.missing_entry_points.first() {
        return Err(format!("the entry point {name} is missing"));
    }
    if let Some(name) =
        MANDATORY.iter().find(|name| find(&log.callbacks, name).is_some_and(|a| a != "always"))
    {
        return Err(format!("ompt_set_callback({name}) did not answer `always`"));
    }
    judge(log, &RULES)
}

/// Checks a log against `rules`.
///
/// # Errors
///
/// The first rule that is broken, with the event.
pub fn judge(log: &Log, rules: &[Rule]) -> Result<(), String> {
    rules.iter().try_for_each(|(name, rule)| rule(log).map_err(|said| format!("{name}: {said}")))
}

/// No identifier is 0, but for two: the region's outside of regions, and in a switch that of a task
/// that is over.
fn identifiers(log: &Log) -> Result<(), String> {
    log.events.iter().try_for_each(|event| {
        let is_free = |key: &str| ["parallel", "first", "wait"].contains(&key);
        let mut keys = event.keys.iter();
        let zero = keys.find(|(key, value)| value == "zero" && !is_free(key));
        zero.map_or(Ok(()), |(key, _)| broken(event, &format!("{key} is zero")))
    })
}
