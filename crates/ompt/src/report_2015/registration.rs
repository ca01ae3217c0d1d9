//! Registering callbacks, and the runtime's answers.

use oxomp_sys::report_2015::SetResult as RawResult;

use super::{EntryPoints, Event, EventSet, Registered, SetResult, callback};
use crate::answers::answers;

answers! {
    /// The answer to a question about each event of a set.
    RawResult
}

impl SetResult {
    /// Whether an event with this answer never comes.
    const fn is_refused(self) -> bool {
        matches!(self, Self::Error | Self::Never | Self::Impossible)
    }

    /// Whether an event with this answer comes for some of its occurrences only.
    const fn is_partial(self) -> bool {
        matches!(self, Self::Convenient)
    }
}

/// The runtime's answer to each registration of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    answers: Answers,
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
        let answers = Answers::of(wanted.with_partners(), |event| {
            let callback = match wanted.contains(event) {
                true => callback::of::<T>(event),
                false => callback::quiet(event),
            };
            // SAFETY: the callback has the event's signature.
            unsafe { entry_points.register(event, callback) }
        });
        Self { answers, without_method }
    }

    /// The answer for an event; none if it was not registered.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.answers.result(event)
    }

    /// Every registered event with its answer, the other ends of pairs and the shutdown included.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.answers.iter()
    }

    /// The registered events that the runtime never delivers.
    pub fn refused(&self) -> EventSet {
        self.answers.refused()
    }

    /// The registered events that the runtime delivers when it is convenient.
    pub fn partial(&self) -> EventSet {
        self.answers.partial()
    }

    /// The events that [`Tool::events`](super::Tool::events) named although the tool has no method
    /// for them.
    pub fn without_method(&self) -> EventSet {
        self.without_method
    }
}
