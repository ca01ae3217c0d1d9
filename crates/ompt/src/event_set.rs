//! Events by name, and sets of them.

use core::fmt;

use oxomp_sys::ompt::{EventRow, Side, ompt_callbacks_t};

/// One event of the interface, by its number in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event(u8);

macro_rules! define_events {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        impl Event {
            $(
                #[doc = concat!("The event of [`Tool::", stringify!($name), "`](crate::Tool).")]
                pub const $constant: Self = Self($code);
            )*

            /// Every event, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$constant),*];

            /// The name of the event: C's without `ompt_callback_`.
            pub const fn name(self) -> &'static str {
                match self.0 {
                    $($code => stringify!($name),)*
                    _ => unreachable!(),
                }
            }
        }
    };
}

oxomp_sys::for_each_event!(define_events);

impl Event {
    /// The number in C.
    pub const fn raw(self) -> ompt_callbacks_t {
        ompt_callbacks_t(self.0 as i32)
    }

    /// The event of that name (see [`Event::name`]).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|event| event.name() == name)
    }

    /// Position in tables: the number in C, below [`Event::TABLE_LEN`].
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Length of a table with a place for every event.
    pub(crate) const TABLE_LEN: usize = Self::ALL.len() + 1;
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of events.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventSet(u64);

impl EventSet {
    /// No event.
    pub const NONE: Self = Self(0);

    /// Everything that happens on the host, target constructs and devices left out.
    pub const HOST: Self = {
        let mut bits = 0;
        let mut at = 0;
        while at < EventRow::ALL.len() {
            if matches!(EventRow::ALL[at].side, Side::Host) {
                bits |= 1 << EventRow::ALL[at].event.0;
            }
            at += 1;
        }
        Self(bits)
    };

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

    /// The events of these methods of [`Tool`](crate::Tool), for `#[ompt::tool]`. A name that is no
    /// event's is skipped: the compiler has refused the method.
    #[doc(hidden)]
    pub const fn of_methods(names: &[&str]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < names.len() {
            let mut event = 0;
            while event < Event::ALL.len() {
                if is_same(Event::ALL[event].name(), names[at]) {
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

    /// The set as bits: bit N stands for the event with the number N.
    pub(crate) const fn bits(self) -> u64 {
        self.0
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

/// Whether the texts are the same, in constant expressions.
pub(crate) const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

impl FromIterator<Event> for EventSet {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        events.into_iter().fold(Self::NONE, |set, event| set.union(Self::of(&[event])))
    }
}

impl fmt::Debug for EventSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use oxomp_sys::ompt::{EventRow, Side};

    use super::{Event, EventSet};

    #[test]
    fn names_lead_back_to_events() {
        for event in Event::ALL {
            assert_eq!(Event::from_name(event.name()), Some(*event));
            assert_eq!(EventSet::of_methods(&[event.name()]), EventSet::of(&[*event]));
        }
        assert_eq!(Event::from_name("master"), None);
        assert_eq!(EventSet::of_methods(&["master", "thread", "flush_"]), EventSet::NONE);
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let set = EventSet::of(&[Event::ERROR, Event::THREAD_BEGIN]);
        assert!(set.iter().eq([Event::THREAD_BEGIN, Event::ERROR]));
        assert!(set.without(EventSet::HOST) == EventSet::NONE);
        let on_host = EventRow::ALL.iter().filter(|row| row.side == Side::Host);
        assert!(EventSet::HOST.iter().map(Event::raw).eq(on_host.map(|row| row.event)));
        assert!(!EventSet::HOST.contains(Event::TARGET_EMI));
    }
}
