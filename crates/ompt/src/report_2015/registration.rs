//! Registering callbacks, and the runtime's answers.

use oxomp_sys::report_2015 as c;

use super::{EntryPoints, Event, EventSet, Registered, SetResult, callback};

/// The runtime's answer to each registration of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    events: EventSet,
    results: [c::SetResult; Event::TABLE_LEN],
    without_method: EventSet,
}

impl Registration {
    /// Registers the tool's methods for the events that it asks for, the other ends of their pairs,
    /// and the shutdown.
    pub(super) fn of<T: Registered>(entry_points: &EntryPoints, asked: EventSet) -> Self {
        let methods = T::METHODS.union(EventSet::of(&[Event::RUNTIME_SHUTDOWN]));
        let wanted = asked.intersection(methods).union(EventSet::of(&[Event::RUNTIME_SHUTDOWN]));
        let without_method = asked.without(methods);
        if without_method != EventSet::NONE {
            let tool = core::any::type_name::<T>();
            std::eprintln!("ompt: {tool} asks for events without methods: {without_method:?}");
        }
        let events = wanted.with_partners();
        let mut results = [c::SetResult::ERROR; Event::TABLE_LEN];
        for event in events.iter() {
            let callback = match wanted.contains(event) {
                true => callback::of::<T>(event),
                false => callback::quiet(event),
            };
            // SAFETY: the callback has the event's signature.
            results[event.index()] = unsafe { entry_points.register(event, callback) };
        }
        Self { events, results, without_method }
    }

    /// The answer for an event; none if it was not registered.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.events.contains(event).then(|| self.results[event.index()].into())
    }

    /// Every registered event with its answer, the other ends of pairs and the shutdown included.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.events.iter().map(|event| (event, self.results[event.index()].into()))
    }

    /// The registered events that the runtime never delivers.
    pub fn refused(&self) -> EventSet {
        self.answered(|result| {
            matches!(result, SetResult::Error | SetResult::Never | SetResult::Impossible)
        })
    }

    /// The registered events that the runtime delivers when it is convenient.
    pub fn partial(&self) -> EventSet {
        self.answered(|result| result == SetResult::Convenient)
    }

    fn answered(&self, is_sought: impl Fn(SetResult) -> bool) -> EventSet {
        self.iter().filter(|(_, result)| is_sought(*result)).map(|(event, _)| event).collect()
    }

    /// The events that [`Tool::events`](super::Tool::events) named although the tool has no method
    /// for them.
    pub fn without_method(&self) -> EventSet {
        self.without_method
    }
}
