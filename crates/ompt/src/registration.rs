//! Registering callbacks, and the runtime's answers.

use oxomp_sys::ompt::ompt_set_result_t;

use crate::event::callback;
use crate::{EntryPoints, Event, EventSet, Registered, SetResult};

/// The runtime's answer to each registration of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    events: EventSet,
    results: [ompt_set_result_t; Event::TABLE_LEN],
}

impl Registration {
    pub(crate) fn of<T: Registered>(entry_points: &EntryPoints, events: EventSet) -> Self {
        let mut results = [ompt_set_result_t::ERROR; Event::TABLE_LEN];
        for event in events.iter() {
            results[event.index()] = register::<T>(entry_points, event).raw();
        }
        Self { events, results }
    }

    /// The answer for an event; none if it was not registered.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.events.contains(event).then(|| self.results[event.index()].into())
    }

    /// Every registered event with its answer.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.events.iter().map(|event| (event, self.results[event.index()].into()))
    }
}

/// Registers the tool's method for an event, at any time after `initialize`.
pub fn register<T: Registered>(entry_points: &EntryPoints, event: Event) -> SetResult {
    // SAFETY: the callback has the event's signature. A caller that has entry points runs after the
    // tool was stored, or is the start itself, which stores it before the first event.
    unsafe { entry_points.set_callback(event, Some(callback::of::<T>(event))) }
}

/// Unregisters an event: its method is not called any more, once running calls have ended.
pub fn unregister(entry_points: &EntryPoints, event: Event) -> SetResult {
    // SAFETY: a null callback has no signature that could differ.
    unsafe { entry_points.set_callback(event, None) }
}
