//! Registering callbacks, and the runtime's answers.

use oxomp_sys::ompt::ompt_set_result_t;

use crate::event::callback;
use crate::{EntryPoints, Event, EventSet, Model, Registered, SetResult};

/// The answer to a question about each event of a set.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    events: EventSet,
    results: [ompt_set_result_t; Event::TABLE_LEN],
}

impl Answers {
    pub(crate) fn of(events: EventSet, mut ask: impl FnMut(Event) -> ompt_set_result_t) -> Self {
        let mut results = [ompt_set_result_t::ERROR; Event::TABLE_LEN];
        for event in events.iter() {
            results[event.index()] = ask(event);
        }
        Self { events, results }
    }

    /// The answer for an event; none if it is not in the set.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.events.contains(event).then(|| self.results[event.index()].into())
    }

    /// Every event with its answer.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.events.iter().map(|event| (event, self.results[event.index()].into()))
    }

    /// The events that never come.
    pub fn refused(&self) -> EventSet {
        let is_refused =
            |result| matches!(result, SetResult::Error | SetResult::Never | SetResult::Impossible);
        self.answered(is_refused)
    }

    /// The events that come for some of their occurrences only.
    pub fn partial(&self) -> EventSet {
        let is_partial =
            |result| matches!(result, SetResult::Sometimes | SetResult::SometimesPaired);
        self.answered(is_partial)
    }

    fn answered(&self, is_sought: impl Fn(SetResult) -> bool) -> EventSet {
        self.iter().filter(|(_, result)| is_sought(*result)).map(|(event, _)| event).collect()
    }
}

/// The runtime's answer to each registration of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    answers: Answers,
    without_method: EventSet,
}

impl Registration {
    pub(crate) fn of<T: Registered>(entry_points: &EntryPoints<T::Model>, asked: EventSet) -> Self {
        let events = asked.intersection(T::METHODS);
        let without_method = asked.without(T::METHODS);
        if without_method != EventSet::NONE {
            let tool = core::any::type_name::<T>();
            std::eprintln!("ompt: {tool} asks for events without methods: {without_method:?}");
        }
        let gate = T::slot().gate();
        let answers = Answers::of(gate.lifecycle().union(events), |event| {
            gate.listen(event, events.contains(event));
            set::<T>(entry_points, event).raw()
        });
        Self { answers, without_method }
    }

    /// The answer for an event; none if it was not registered.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.answers.result(event)
    }

    /// Every registered event with its answer, those that the SDK needs itself included: the events
    /// with which the tool's data begin and end, and the end of devices.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.answers.iter()
    }

    /// The registered events that the runtime never delivers.
    pub fn refused(&self) -> EventSet {
        self.answers.refused()
    }

    /// The registered events that the runtime delivers for some of their occurrences only.
    pub fn partial(&self) -> EventSet {
        self.answers.partial()
    }

    /// The events that [`Tool::events`](crate::Tool::events) named although the tool has no method
    /// for them.
    pub fn without_method(&self) -> EventSet {
        self.without_method
    }
}

/// Registers the tool's method for an event, at any time after `initialize`. An error if the tool
/// has no method for it, or if the entry points are not this tool's.
pub fn register<T: Registered>(entry_points: &EntryPoints<T::Model>, event: Event) -> SetResult {
    let gate = T::slot().gate();
    if !T::METHODS.contains(event) || !entry_points.is_of(gate) || T::slot().tool().is_none() {
        return SetResult::Error;
    }
    gate.listen(event, true);
    set::<T>(entry_points, event)
}

fn set<T: Registered>(entry_points: &EntryPoints<T::Model>, event: Event) -> SetResult {
    // SAFETY: the callback has the event's signature, and is the one of the tool that the runtime
    // has.
    unsafe { entry_points.register(event, callback::of::<T>(event)) }
}

/// Unregisters an event: its method is not called any more, once running calls have ended.
pub fn unregister<D: Model>(entry_points: &EntryPoints<D>, event: Event) -> SetResult {
    if entry_points.stop_listening(event) {
        // The callback stays, for the tool's data.
        return SetResult::Always;
    }
    entry_points.unregister(event)
}
