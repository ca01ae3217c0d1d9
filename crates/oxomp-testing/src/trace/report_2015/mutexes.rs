//! Locks, critical, atomic and ordered regions: what a task acquires it releases, in number and
//! kind, and locks are used between their initialization and their destruction.

use std::collections::{BTreeMap, BTreeSet};

use crate::trace::log::{Event, Log};

use super::event::{broken, require, value};
use super::switches;

/// The possession of a mutex.
struct Held<'l> {
    task: Option<&'l str>,
    thread: usize,
    count: u32,
}

/// The rules for mutexes. The release is reported when it is done: another thread's acquisition
/// may come before that.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut held: BTreeMap<(&str, &str), Vec<Held<'_>>> = BTreeMap::new();
    let mut locks: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (event, place) in log.events.iter().zip(switches::places(log)) {
        let Some(id) = event.get("wait_id") else { continue };
        require(value(event, "type") != "bad", event, "a type that is not enumerated")?;
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
        // The owner is a task, or, of a lock of OpenMP 2.5, a thread.
        let (task, thread) = (place.map(|place| place.task), event.thread);
        let owners = held.entry((kind, id)).or_default();
        let by_task = owners.iter().position(|held| held.task == task);
        let own = by_task.or_else(|| owners.iter().position(|held| held.thread == thread));
        let count = own.map_or(0, |at| owners[at].count);
        let count = match (action, event.name.as_str()) {
            ("acquired", "acquired_nest_lock_next") => {
                require(count > 0, event, "the task does not own the lock yet")?;
                count + 1
            }
            ("acquired", _) => {
                require(count == 0, event, "the task owns it already")?;
                1
            }
            ("release", "release_nest_lock_prev") => {
                require(count > 1, event, "it is the last release")?;
                count - 1
            }
            ("release", _) => {
                require(count == 1, event, "not what the task acquired")?;
                0
            }
            _ => continue,
        };
        match own {
            Some(at) if count == 0 => drop(owners.remove(at)),
            Some(at) => owners[at].count = count,
            None => owners.push(Held { task, thread, count }),
        }
    }
    let mut left = held.iter().filter_map(|((kind, id), owners)| Some((kind, id, owners.first()?)));
    match left.next() {
        Some((kind, id, held)) => {
            let task = held.task.unwrap_or("a thread");
            Err(format!("{task} does not release the {kind} {id}"))
        }
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
