//! Registering the callbacks of a tool.

use super::{Answers, EntryPoints, Event, EventSet, Registered, Registration, callback};

/// Registers the tool's methods for the events that it asks for, the other ends of their pairs,
/// and the shutdown.
pub(super) fn all<T: Registered>(entry_points: &EntryPoints, asked: EventSet) -> Registration {
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
    Registration::new(answers, without_method)
}
