//! What the rules read of events, and the message for an event that breaks one.

use std::collections::BTreeMap;

use crate::trace::log::{Detail, Event, Log};

/// The value of an argument; empty if the event has no argument of this name.
pub(super) fn value<'a>(event: &'a Event, key: &str) -> &'a str {
    event.get(key).unwrap_or_default()
}

/// The first answer of an entry point with one of these names.
pub(super) fn answer<'a>(event: &'a Event, names: &[&str]) -> Option<&'a Detail> {
    event.details.iter().find(|detail| names.contains(&&*detail.name))
}

/// The events of each thread.
pub(super) fn by_thread(log: &Log) -> BTreeMap<usize, Vec<&Event>> {
    let mut threads: BTreeMap<usize, Vec<&Event>> = BTreeMap::new();
    for event in &log.events {
        threads.entry(event.thread).or_default().push(event);
    }
    threads
}

/// The message for an event that breaks a rule.
pub(super) fn broken<T>(event: &Event, said: &str) -> Result<T, String> {
    let mut text = format!("{said}:\n  > {event}\n");
    for detail in &event.details {
        let keys: Vec<String> = detail.keys.iter().map(|(key, it)| format!("{key}={it}")).collect();
        text += &format!("      {} {}\n", detail.name, keys.join(" "));
    }
    Err(text)
}

/// `Ok` if `holds`, and otherwise the message.
pub(super) fn require(holds: bool, event: &Event, said: &str) -> Result<(), String> {
    if holds { Ok(()) } else { broken(event, said) }
}
