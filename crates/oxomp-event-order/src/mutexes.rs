//! Mutexes: asked for, acquired, released, by one thread at a time.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_mutex_t};

use crate::event::Event;
use crate::rule::Rule;
use crate::run::Run;

/// A thread's possession of a mutex.
struct Held {
    thread: usize,
    kind: ompt_mutex_t,
    /// How often a nest lock is set.
    depth: usize,
    acquired: usize,
}

/// Checks all events about mutexes.
pub(crate) fn check(run: &mut Run<'_>) {
    if !run.applies(&[Rule::MutexAcquired, Rule::MutexOwner]) {
        return;
    }
    let events = run.events;
    let mut mutexes = Mutexes::default();
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    let mut following = vec![None; events.len()];
    for (at, event) in events.iter().enumerate() {
        if let Some(before) = last.insert(event.thread, at) {
            following[before] = Some(at);
        }
    }
    for (at, event) in events.iter().enumerate() {
        run.at = at;
        mutexes.take(run, event, &following);
    }
    for (wait, held) in &mutexes.held {
        let said = format!("w{wait}, a {}, stays held", name(held.kind));
        run.say_of(Rule::MutexOwner, said, &[held.acquired]);
    }
}

#[derive(Default)]
struct Mutexes {
    held: BTreeMap<u64, Held>,
    /// The mutex that each thread has asked for, and not got.
    asked: BTreeMap<usize, (u64, ompt_mutex_t)>,
    /// Releases that are done and not reported yet: the thread and the mutex.
    late: BTreeSet<(usize, u64)>,
    /// The kind and the hint of each lock that exists.
    locks: BTreeMap<u64, (ompt_mutex_t, u64)>,
}

impl Mutexes {
    fn take(&mut self, run: &mut Run<'_>, event: &Event, following: &[Option<usize>]) {
        let (kind, wait) = (ompt_mutex_t(event.kind), event.wait);
        let said = match event.code {
            ompt_callbacks_t::LOCK_INIT => {
                self.locks.insert(wait, (kind, event.count));
                None
            }
            ompt_callbacks_t::LOCK_DESTROY => match self.locks.remove(&wait) {
                Some((made, _)) if made == kind => None,
                Some((made, _)) => {
                    Some(format!("lock_destroy of {}; lock_init said {}", name(kind), name(made)))
                }
                None => Some(format!("lock_destroy of w{wait} without its lock_init")),
            },
            ompt_callbacks_t::MUTEX_ACQUIRE => self.ask(run, event),
            ompt_callbacks_t::MUTEX_ACQUIRED => self.acquire(run, event, following),
            ompt_callbacks_t::NEST_LOCK => self.nest(event),
            ompt_callbacks_t::MUTEX_RELEASED => self.release(event),
            _ => return,
        };
        if wait == 0 {
            run.say(Rule::MutexOwner, "the wait id is 0");
        }
        said.into_iter().for_each(|said| run.say(Rule::MutexOwner, said));
    }

    fn ask(&mut self, run: &mut Run<'_>, event: &Event) -> Option<String> {
        let (kind, wait) = (ompt_mutex_t(event.kind), event.wait);
        // A runtime that does not keep the hint says that it does not know it.
        let made = self.locks.get(&wait).map_or(0, |(_, hint)| *hint);
        if is_lock(kind) && event.count != 0 && event.count != made {
            let said = format!("the hint {}; lock_init said {made}", event.count);
            run.say(Rule::MutexOwner, said);
        }
        let lost = self.asked.insert(event.thread, (wait, kind));
        let lost = lost.filter(|(_, kind)| !is_test(*kind));
        lost.map(|(wait, _)| format!("w{wait} was asked for and never acquired"))
    }

    fn acquire(
        &mut self,
        run: &mut Run<'_>,
        event: &Event,
        following: &[Option<usize>],
    ) -> Option<String> {
        let (kind, wait) = (ompt_mutex_t(event.kind), event.wait);
        let asked = self.asked.remove(&event.thread);
        if asked != Some((wait, kind)) {
            let wanted = match asked {
                Some((wait, kind)) => format!("the {} w{wait}", name(kind)),
                None => "nothing".to_owned(),
            };
            let said =
                format!("the {} w{wait} is acquired; the thread asked for {wanted}", name(kind));
            // A test may be reported as that of the lock.
            if asked.is_some_and(|(asked, _)| asked == wait) || is_test(kind) {
                return Some(said);
            }
            run.say(Rule::MutexAcquired, said);
        }
        let new = Held { thread: event.thread, kind, depth: 1, acquired: run.at };
        let before = self.held.insert(wait, new)?;
        // The holder reports the release after it: it may do nothing else any more.
        let events = run.events;
        let last = events[..run.at].iter().rposition(|other| other.thread == before.thread);
        let next = last.and_then(|last| following[last]).map(|next| &events[next]);
        let is_release = next
            .is_some_and(|next| next.code == ompt_callbacks_t::MUTEX_RELEASED && next.wait == wait);
        if is_release {
            self.late.insert((before.thread, wait));
            return None;
        }
        Some(format!("w{wait} is acquired while thread {} holds it", before.thread))
    }

    fn nest(&mut self, event: &Event) -> Option<String> {
        let held = self.held.get_mut(&event.wait).filter(|held| held.thread == event.thread);
        if event.begins() {
            self.asked.remove(&event.thread);
            let Some(held) = held else {
                return Some("nest_lock begin by a thread that does not own it".to_owned());
            };
            held.depth += 1;
            return None;
        }
        let Some(held) = held.filter(|held| held.depth > 1) else {
            return Some("nest_lock end of a lock that is not set twice".to_owned());
        };
        held.depth -= 1;
        None
    }

    fn release(&mut self, event: &Event) -> Option<String> {
        // Other threads have acquired it between the release and its event, and may have released
        // it, too.
        if self.late.remove(&(event.thread, event.wait)) {
            return None;
        }
        match self.held.get(&event.wait) {
            Some(held) if held.thread == event.thread => {
                let held = self.held.remove(&event.wait)?;
                (held.depth > 1).then(|| "released while still nested".to_owned())
            }
            Some(held) => Some(format!("a release of what thread {} holds", held.thread)),
            None => Some("a release of what nobody holds".to_owned()),
        }
    }
}

fn is_lock(kind: ompt_mutex_t) -> bool {
    kind.0 <= ompt_mutex_t::TEST_NEST_LOCK.0
}

fn is_test(kind: ompt_mutex_t) -> bool {
    [ompt_mutex_t::TEST_LOCK, ompt_mutex_t::TEST_NEST_LOCK].contains(&kind)
}

fn name(kind: ompt_mutex_t) -> &'static str {
    let name = kind.name().and_then(|name| name.to_str().ok());
    name.map_or("mutex", |name| name.trim_start_matches("ompt_mutex_"))
}

#[cfg(test)]
mod tests {
    use oxomp_sys::ompt::{ompt_callbacks_t, ompt_mutex_t};

    use crate::event::Event;
    use crate::judge::judge;
    use crate::rule::Rule;

    const ACQUIRE: ompt_callbacks_t = ompt_callbacks_t::MUTEX_ACQUIRE;
    const ACQUIRED: ompt_callbacks_t = ompt_callbacks_t::MUTEX_ACQUIRED;
    const RELEASED: ompt_callbacks_t = ompt_callbacks_t::MUTEX_RELEASED;

    /// `events` are a thread and what it does with the mutex.
    fn said(events: &[(usize, ompt_callbacks_t)]) -> Vec<String> {
        let event = |(thread, code): &(usize, ompt_callbacks_t)| {
            let kind = ompt_mutex_t::CRITICAL.0;
            Event { kind, wait: 1, ..Event::new(*thread, *code) }
        };
        let events: Vec<Event> = events.iter().map(event).collect();
        let rules = [Rule::MutexAcquired, Rule::MutexOwner];
        judge(&events, &rules).1.into_iter().map(|violation| violation.said).collect()
    }

    #[test]
    fn a_release_may_be_reported_after_others_had_the_mutex() {
        let late = [
            (0, ACQUIRE),
            (0, ACQUIRED),
            (1, ACQUIRE),
            (1, ACQUIRED),
            (1, RELEASED),
            (0, RELEASED),
        ];
        assert_eq!(said(&late), Vec::<String>::new());
        assert_eq!(said(&late[..5]).len(), 1);
    }

    #[test]
    fn only_the_holder_releases() {
        let foreign = [(0, ACQUIRE), (0, ACQUIRED), (1, RELEASED), (0, RELEASED)];
        assert_eq!(said(&foreign), ["a release of what thread 0 holds"]);
    }
}
