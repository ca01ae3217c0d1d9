//! Mutexes: asked for, acquired, released, by one thread at a time.

use std::collections::{BTreeMap, BTreeSet};

use super::history::value;
use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, Log};

const CLAUSE: &str = "5.2 §19.5.2.14, mutex_acquire, mutex_acquired, mutex_released";

/// A thread's possession of a mutex.
struct Held<'l> {
    thread: usize,
    kind: &'l str,
    /// How often a nest lock is set.
    depth: usize,
}

/// Checks all events about mutexes.
#[must_use]
pub fn check(log: &Log) -> Vec<Violation> {
    let mut rules = Rules::default();
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    let mut following = vec![None; log.events.len()];
    for (at, event) in log.events.iter().enumerate() {
        if let Some(before) = last.insert(event.thread, at) {
            following[before] = Some(at);
        }
    }
    for (at, event) in log.events.iter().enumerate() {
        if let Some(said) = rules.take(event, at, log, &following) {
            rules.found.push(Violation::new(CLAUSE, said, at));
        }
    }
    for (wait_id, held) in &rules.held {
        let said = format!("{wait_id}, a {}, stays held", held.kind);
        rules.found.push(Violation::new(CLAUSE, said, None));
    }
    rules.found
}

#[derive(Default)]
struct Rules<'l> {
    held: BTreeMap<&'l str, Held<'l>>,
    /// The mutex that each thread has asked for, and not got.
    asked: BTreeMap<usize, (&'l str, &'l str)>,
    /// Releases that are done and not reported yet: the thread and the mutex.
    late: BTreeSet<(usize, &'l str)>,
    /// The kind and the hint of each lock that exists.
    locks: BTreeMap<&'l str, (&'l str, &'l str)>,
    found: Vec<Violation>,
}

impl<'l> Rules<'l> {
    fn take(
        &mut self,
        event: &'l Event,
        at: usize,
        log: &'l Log,
        following: &[Option<usize>],
    ) -> Option<String> {
        let (kind, wait_id) = (value(event, "kind"), value(event, "wait_id"));
        let thread = event.thread;
        if wait_id == "0" {
            return Some("the wait id is 0".to_owned());
        }
        match event.name.as_str() {
            "lock_init" => {
                self.locks.insert(wait_id, (kind, value(event, "hint")));
                None
            }
            "lock_destroy" => match self.locks.remove(wait_id) {
                Some((made, _)) if made == kind => None,
                made => Some(format!("lock_destroy of {kind}; lock_init said {made:?}")),
            },
            "mutex_acquire" => {
                // A runtime that does not keep the hint says that it does not know it.
                let made = self.locks.get(wait_id).map_or("0", |(_, hint)| hint);
                let hint = value(event, "hint");
                if kind.ends_with("lock") && hint != "0" && hint != made {
                    let said = format!("the hint {hint}; lock_init said {made}");
                    self.found.push(Violation::new(CLAUSE, said, at));
                }
                let lost = self.asked.insert(thread, (wait_id, kind));
                let lost = lost.filter(|(_, kind)| !kind.starts_with("test_"));
                lost.map(|(wait_id, _)| format!("{wait_id} was asked for and never acquired"))
            }
            "mutex_acquired" => {
                let asked = self.asked.remove(&thread);
                if asked != Some((wait_id, kind)) {
                    return Some(format!("acquired; the thread asked for {asked:?}"));
                }
                self.acquired(event, at, log, following)
            }
            "nest_lock" if event.get("endpoint") == Some("begin") => {
                self.asked.remove(&thread);
                match self.held.get_mut(wait_id) {
                    Some(held) if held.thread == thread => {
                        held.depth += 1;
                        None
                    }
                    _ => Some("nest_lock begin by a thread that does not own it".to_owned()),
                }
            }
            "nest_lock" => match self.held.get_mut(wait_id) {
                Some(held) if held.thread == thread && held.depth > 1 => {
                    held.depth -= 1;
                    None
                }
                _ => Some("nest_lock end of a lock that is not set twice".to_owned()),
            },
            // Other threads have acquired it between the release and its event, and may have
            // released it, too.
            "mutex_released" if self.late.remove(&(thread, wait_id)) => None,
            "mutex_released" => match self.held.get(wait_id) {
                Some(held) if held.thread == thread => {
                    let held = self.held.remove(wait_id)?;
                    (held.depth > 1).then(|| "released while still nested".to_owned())
                }
                Some(held) => Some(format!("a release of what thread {} holds", held.thread)),
                None => Some("a release of what nobody holds".to_owned()),
            },
            _ => None,
        }
    }

    fn acquired(
        &mut self,
        event: &'l Event,
        at: usize,
        log: &'l Log,
        following: &[Option<usize>],
    ) -> Option<String> {
        let (kind, wait_id) = (value(event, "kind"), value(event, "wait_id"));
        let new = Held { thread: event.thread, kind, depth: 1 };
        let before = self.held.insert(wait_id, new)?;
        // The holder reports the release after it: it may do nothing else any more.
        let next = log.events[..at]
            .iter()
            .rposition(|other| other.thread == before.thread)
            .and_then(|last| following[last])
            .map(|next| &log.events[next]);
        let is_release = next
            .is_some_and(|next| next.name == "mutex_released" && value(next, "wait_id") == wait_id);
        if is_release {
            self.late.insert((before.thread, wait_id));
            return None;
        }
        Some(format!("{wait_id} is acquired while thread {} holds it", before.thread))
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::trace::log;

    /// `events` are a thread and what it does with the mutex.
    fn said(events: &[(usize, &str)]) -> Vec<String> {
        let mut text: String = events
            .iter()
            .zip(0..)
            .map(|((thread, what), seq)| {
                format!("{seq} thread={thread} mutex_{what} kind=critical wait_id=w1\n")
            })
            .collect();
        text += &format!("# end events={} dropped=0\n", events.len());
        let log = log::parse(&text).expect("a right log");
        check(&log).into_iter().map(|violation| violation.said).collect()
    }

    #[test]
    fn a_release_may_be_reported_after_others_had_the_mutex() {
        let late = [
            (0, "acquire"),
            (0, "acquired"),
            (1, "acquire"),
            (1, "acquired"),
            (1, "released"),
            (0, "released"),
        ];
        assert_eq!(said(&late), Vec::<String>::new());
        assert_eq!(said(&late[..5]).len(), 1);
    }

    #[test]
    fn only_the_holder_releases() {
        let foreign = [(0, "acquire"), (0, "acquired"), (1, "released"), (0, "released")];
        assert_eq!(said(&foreign), ["a release of what thread 0 holds"]);
    }
}
