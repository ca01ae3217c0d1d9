//! Answers about the events of a set, of either interface.

/// Defines `Answers` for the `Event`, `EventSet` and `SetResult` in scope; `$raw` is the type of an
/// answer in C.
macro_rules! answers {
    ($(#[$meta:meta])* $raw:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct Answers {
            events: EventSet,
            results: [$raw; Event::TABLE_LEN],
        }

        impl Answers {
            pub(crate) fn of(events: EventSet, mut ask: impl FnMut(Event) -> $raw) -> Self {
                let mut results = [$raw::ERROR; Event::TABLE_LEN];
                for event in events.iter() {
                    results[event.index()] = ask(event);
                }
                Self { events, results }
            }

            /// The answer for an event; `None` if the event is not in the set.
            pub fn result(&self, event: Event) -> Option<SetResult> {
                self.events.contains(event).then(|| self.results[event.index()].into())
            }

            /// Every event with its answer.
            pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
                self.events.iter().map(|event| (event, self.results[event.index()].into()))
            }

            /// The events that are never delivered.
            pub fn refused(&self) -> EventSet {
                self.answered(SetResult::is_refused)
            }

            /// The events that are delivered for some of their occurrences only.
            pub fn partial(&self) -> EventSet {
                self.answered(SetResult::is_partial)
            }

            fn answered(&self, is_sought: impl Fn(SetResult) -> bool) -> EventSet {
                self.iter()
                    .filter(|(_, result)| is_sought(*result))
                    .map(|(event, _)| event)
                    .collect()
            }
        }
    };
}

pub(crate) use answers;
