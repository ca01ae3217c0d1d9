//! What holds for the events of any program, by the 2015 report and by what oxomp adds where the
//! report leaves a choice.
//!
//! Each rule reads the whole log by itself, and returns the first event that breaks it.

mod context;
mod mutexes;
mod nesting;
mod regions;
mod switches;
mod tasks;
mod threads;

use std::collections::BTreeMap;

use oxomp_testing::trace::log::{Detail, Event, Log, find};

/// A rule: its name, and the check.
pub(crate) type Rule = (&'static str, fn(&Log) -> Result<(), String>);

/// All of them.
pub(crate) const RULES: [Rule; 7] = [
    ("threads", threads::check),
    ("regions", regions::check),
    ("tasks", tasks::check),
    ("switches", switches::check),
    ("nesting", nesting::check),
    ("mutexes", mutexes::check),
    ("context", context::check),
];

/// Checks all rules.
///
/// # Errors
///
/// The rule that is broken, with the event and those before it on its thread.
pub(crate) fn check(log: &Log) -> Result<(), String> {
    RULES.iter().try_for_each(|(name, rule)| rule(log).map_err(|said| format!("{name}: {said}")))
}

/// The value of an argument; empty if the event has no argument of this name.
fn value<'a>(event: &'a Event, key: &str) -> &'a str {
    event.get(key).unwrap_or_default()
}

/// What the entry points answer inside the callback for the task `number` levels above the current
/// one.
fn level(event: &Event, number: usize) -> &Detail {
    let levels = event.details.iter().filter(|detail| detail.name == "level");
    levels.clone().nth(number).unwrap_or_else(|| panic!("the tool records levels: {event}"))
}

/// A value of the answers for the current task.
fn current<'a>(event: &'a Event, key: &str) -> &'a str {
    find(&level(event, 0).keys, key).unwrap_or_default()
}

/// The events of each thread.
fn by_thread(log: &Log) -> BTreeMap<usize, Vec<&Event>> {
    let mut threads: BTreeMap<usize, Vec<&Event>> = BTreeMap::new();
    for event in &log.events {
        threads.entry(event.thread).or_default().push(event);
    }
    threads
}

/// The message for an event that breaks a rule.
fn broken<T>(event: &Event, said: &str) -> Result<T, String> {
    let mut text = format!("{said}:\n  > {event}\n");
    for detail in &event.details {
        let keys: Vec<String> = detail.keys.iter().map(|(key, it)| format!("{key}={it}")).collect();
        text += &format!("      {} {}\n", detail.name, keys.join(" "));
    }
    Err(text)
}

/// `Ok` if `holds`, and otherwise the message.
fn require(holds: bool, event: &Event, said: &str) -> Result<(), String> {
    if holds { Ok(()) } else { broken(event, said) }
}
