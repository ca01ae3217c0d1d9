//! Registering the callbacks of a tool.

use crate::data::hooks::Hooks;
use crate::event::callback;
use crate::{Answers, EntryPoints, Event, EventSet, Model, Registered, Registration, SetResult};

/// Registers the events that a tool asks for, and those that the SDK needs for them.
pub(crate) fn all<T: Registered>(
    entry_points: &EntryPoints<T::Model>,
    asked: EventSet,
) -> Registration {
    let events = asked.intersection(T::METHODS);
    let without_method = asked.without(T::METHODS);
    if without_method != EventSet::NONE {
        let tool = core::any::type_name::<T>();
        std::eprintln!("ompt: {tool} asks for events without methods: {without_method:?}");
    }
    let gate = T::slot().gate();
    let answers = Answers::of(needed::<T>(events).union(events), |event| {
        gate.listen(event, events.contains(event));
        set::<T>(entry_points, event).raw()
    });
    Registration::new(answers, without_method)
}

/// The events that the SDK needs for a tool with these events: those with which the tool's data
/// begin and end, and the end of devices whose handles the tool gets.
fn needed<T: Registered>(events: EventSet) -> EventSet {
    let of_data = <T::Model as Hooks<T>>::LIFECYCLE;
    match events.contains(Event::DEVICE_INITIALIZE) {
        true => of_data.union(EventSet::of(&[Event::DEVICE_FINALIZE])),
        false => of_data,
    }
}

/// Registers the tool's method for an event, at any time after `initialize`. An error if the tool
/// has no method for it, or if the entry points are not this tool's.
pub fn register<T: Registered>(entry_points: &EntryPoints<T::Model>, event: Event) -> SetResult {
    let gate = T::slot().gate();
    if !T::METHODS.contains(event) || !entry_points.is_of(gate) || T::slot().tool().is_none() {
        return SetResult::Error;
    }
    for other in needed::<T>(EventSet::of(&[event])).iter() {
        if other != event && !gate.has_registered(other) {
            gate.listen(other, false);
            set::<T>(entry_points, other);
        }
    }
    gate.listen(event, true);
    set::<T>(entry_points, event)
}

fn set<T: Registered>(entry_points: &EntryPoints<T::Model>, event: Event) -> SetResult {
    // SAFETY: the callback has the event's signature, and belongs to the tool that the runtime has.
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
