//! Which callbacks are registered, and how the runtime answered.

use oxomp_sys::ompt::ompt_set_result_t;

use crate::event::callback;
use crate::{EntryPoints, Event, EventSet, Registered, SetResult};

/// How a runtime answered to each event that a tool registered.
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
    // SAFETY: the callback has the event's signature, and whoever can name entry points is past
    // the moment when the tool was stored, or registers for it before the first event.
    unsafe { entry_points.set_callback(event, Some(callback::of::<T>(event))) }
}

/// Unregisters an event: its method is not called any more, once running calls have ended.
pub fn unregister(entry_points: &EntryPoints, event: Event) -> SetResult {
    // SAFETY: no callback has no signature to get wrong.
    unsafe { entry_points.set_callback(event, None) }
}
