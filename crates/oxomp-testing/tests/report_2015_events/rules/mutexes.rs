//! Locks, critical, atomic and ordered regions: what a task acquires it releases, in number and
//! kind, and locks are used between their initialization and their destruction.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_testing::trace::log::{Event, Log};

use super::{broken, current, require, value};

/// The rules for mutexes. The release is reported when it is done: another thread's acquisition
/// may come before that.
pub(crate) fn check(log: &Log) -> Result<(), String> {
    let mut held: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
    let mut locks: BTreeSet<(&str, &str)> = BTreeSet::new();
    for event in &log.events {
        let Some(id) = event.get("wait_id") else { continue };
        require(id != "zero", event, "no wait identifier")?;
        require(value(event, "type") != "bad", event, "a type that is not enumerated")?;
        let task = current(event, "task");
        let name = event.name.as_str();
        let (action, kind) = split(event)?;
        let is_lock = ["lock", "nest_lock"].contains(&kind);
        match action {
            "init" => {
                require(locks.insert((kind, id)), event, "a lock is initialized twice")?;
            }
            "destroy" => {
                require(locks.remove(&(kind, id)), event, "no lock of that kind")?;
            }
            _ if is_lock => {
                require(locks.contains(&(kind, id)), event, "a lock that is not initialized")?;
            }
            _ => {}
        }
        let count = held.entry((kind, id, task)).or_default();
        match (action, name) {
            ("acquired", "acquired_nest_lock_next") => {
                require(*count > 0, event, "the task does not own the lock yet")?;
                *count += 1;
            }
            ("acquired", _) => {
                require(*count == 0, event, "the task owns it already")?;
                *count = 1;
            }
            ("release", "release_nest_lock_prev") => {
                require(*count > 1, event, "it is the last release")?;
                *count -= 1;
            }
            ("release", _) => {
                require(*count == 1, event, "not what the task acquired")?;
                *count = 0;
            }
            _ => {}
        }
    }
    match held.iter().find(|(_, count)| **count > 0) {
        Some(((kind, id, task), _)) => Err(format!("{task} does not release the {kind} {id}")),
        None => Ok(()),
    }
}

/// The action and the kind of mutex of an event.
fn split(event: &Event) -> Result<(&str, &str), String> {
    let Some((action, kind)) = event.name.split_once('_') else {
        return broken(event, "not an event of mutexes");
    };
    let kind = ["_first", "_next", "_last", "_prev"]
        .iter()
        .find_map(|end| kind.strip_suffix(end))
        .unwrap_or(kind);
    Ok((action, kind))
}
