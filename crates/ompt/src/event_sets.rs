//! The parts of events and their sets that both interfaces share.

/// Completes `Event`, a number with names, and defines `EventSet`, the sets of these events. `$raw`
/// is the type of the number in C, `$bits` an integer with a bit for each, `$row` the type of the
/// rows of the table.
macro_rules! event_sets {
    ($(#[$meta:meta])* $raw:ident, $bits:ty, $row:ident) => {
        impl Event {
            /// Every event, in the order of the numbers.
            pub const ALL: &'static [Self] = &{
                let mut all = [Self(0); $row::ALL.len()];
                let mut at = 0;
                while at < all.len() {
                    all[at] = Self($row::ALL[at].event.0 as u8);
                    at += 1;
                }
                all
            };

            /// The number in C.
            pub const fn raw(self) -> $raw {
                $raw(self.0 as i32)
            }

            /// The event of that name (see [`Event::name`]).
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|event| event.name() == name)
            }

            /// Position in tables: the number in C, below [`Event::TABLE_LEN`].
            pub(crate) const fn index(self) -> usize {
                self.0 as usize
            }

            /// Length of a table with a place for every number.
            pub(crate) const TABLE_LEN: usize = Self::ALL[Self::ALL.len() - 1].0 as usize + 1;
        }

        impl core::fmt::Debug for Event {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl core::fmt::Display for Event {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct EventSet($bits);

        impl EventSet {
            /// No event.
            pub const NONE: Self = Self(0);

            /// The set of these events.
            pub const fn of(events: &[Event]) -> Self {
                let mut bits = 0;
                let mut at = 0;
                while at < events.len() {
                    bits |= 1 << events[at].0;
                    at += 1;
                }
                Self(bits)
            }

            /// The events of these methods of the trait `Tool`, for the attribute before its
            /// implementation. A name that does not belong to an event is skipped: the compiler has
            /// refused the method.
            #[doc(hidden)]
            pub const fn of_methods(names: &[&str]) -> Self {
                let mut bits = 0;
                let mut at = 0;
                while at < names.len() {
                    let mut event = 0;
                    while event < Event::ALL.len() {
                        if $crate::event_sets::is_same(Event::ALL[event].name(), names[at]) {
                            bits |= 1 << Event::ALL[event].0;
                        }
                        event += 1;
                    }
                    at += 1;
                }
                Self(bits)
            }

            /// Whether the event is in the set.
            pub const fn contains(self, event: Event) -> bool {
                self.0 & (1 << event.0) != 0
            }

            /// The events of both sets.
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The events that are in both sets.
            pub const fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// The set without the events of `other`.
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// The events, in the order of their numbers.
            pub fn iter(self) -> impl Iterator<Item = Event> {
                Event::ALL.iter().copied().filter(move |event| self.contains(*event))
            }
        }

        impl FromIterator<Event> for EventSet {
            fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
                events.into_iter().fold(Self::NONE, |set, event| set.union(Self::of(&[event])))
            }
        }

        impl core::fmt::Debug for EventSet {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}

pub(crate) use event_sets;

/// Whether the texts are the same, in constant expressions.
pub(crate) const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
