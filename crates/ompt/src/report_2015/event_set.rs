//! The report's events by name, and sets of them.

use core::fmt;

use oxomp_sys::report_2015::ompt_event_t;

use crate::event_set::is_same;

/// One event of the report's interface, by its number in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event(u8);

macro_rules! define_events {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        impl Event {
            $(
                #[doc = concat!("The event of [`Tool::", stringify!($name), "`](super::Tool).")]
                pub const $constant: Self = Self($code);
            )*

            /// Every event, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$constant),*];

            /// The name of the event: C's without `ompt_event_`.
            pub const fn name(self) -> &'static str {
                match self.0 {
                    $($code => stringify!($name),)*
                    _ => unreachable!(),
                }
            }
        }
    };
}

oxomp_sys::for_each_event_2015!(define_events);

/// The events of which a runtime may assume that both are registered if one is.
const PAIRS: [(Event, Event); 4] = [
    (Event::IDLE_BEGIN, Event::IDLE_END),
    (Event::WAIT_BARRIER_BEGIN, Event::WAIT_BARRIER_END),
    (Event::WAIT_TASKWAIT_BEGIN, Event::WAIT_TASKWAIT_END),
    (Event::WAIT_TASKGROUP_BEGIN, Event::WAIT_TASKGROUP_END),
];

impl Event {
    /// The number in C.
    pub const fn raw(self) -> ompt_event_t {
        ompt_event_t(self.0 as i32)
    }

    /// The event of that name (see [`Event::name`]).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|event| event.name() == name)
    }

    /// Position in tables: the number in C, below [`Event::TABLE_LEN`].
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Length of a table with a place for every number.
    pub(super) const TABLE_LEN: usize = Self::ALL[Self::ALL.len() - 1].0 as usize + 1;
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

/// A set of the report's events.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventSet(u128);

impl EventSet {
    /// No event.
    pub const NONE: Self = Self(0);

    /// Every event.
    pub const ALL: Self = Self::of(Event::ALL);

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

    /// The events of these methods of [`Tool`](super::Tool), for `#[ompt::report_2015::tool]`. A
    /// name that is no event's is skipped: the compiler has refused the method.
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

    /// The set without the events of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set, and for each begin or end of idleness or of a wait in it the other end too.
    pub fn with_partners(self) -> Self {
        PAIRS.iter().fold(self, |set, (begin, end)| {
            match set.contains(*begin) || set.contains(*end) {
                true => set.union(Self::of(&[*begin, *end])),
                false => set,
            }
        })
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

impl fmt::Debug for EventSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, EventSet};

    #[test]
    fn names_lead_back_to_events() {
        assert_eq!(Event::ALL.len(), 69);
        for event in Event::ALL {
            assert_eq!(Event::from_name(event.name()), Some(*event));
            assert_eq!(EventSet::of_methods(&[event.name()]), EventSet::of(&[*event]));
        }
        assert_eq!(Event::from_name("masked"), None);
        assert_eq!(EventSet::ALL.iter().count(), 69);
        assert!(EventSet::ALL.contains(Event::TASK_DEPENDENCE_PAIR), "the last number, 70");
    }

    #[test]
    fn the_other_end_of_a_wait_comes_along() {
        let one = EventSet::of(&[Event::IDLE_END, Event::WAIT_LOCK, Event::BARRIER_BEGIN]);
        let both = one.union(EventSet::of(&[Event::IDLE_BEGIN]));
        assert_eq!(one.with_partners(), both);
        assert_eq!(both.with_partners(), both);
        let waits = EventSet::of(&[Event::WAIT_TASKWAIT_BEGIN]);
        assert!(waits.with_partners().contains(Event::WAIT_TASKWAIT_END));
    }
}
