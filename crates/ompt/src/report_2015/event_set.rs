//! The report's events by name, and sets of them.

use oxomp_sys::report_2015::{EventRow, ompt_event_t};

use crate::event_sets::event_sets;

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
        }
    };
}

oxomp_sys::for_each_event_2015!(define_events);

impl Event {
    /// The name of the event: C's without `ompt_event_`.
    pub const fn name(self) -> &'static str {
        match EventRow::of(self.raw()) {
            Some(row) => row.name,
            None => unreachable!(),
        }
    }
}

/// Pairs of events: a runtime may assume that both are registered if one of them is.
const PAIRS: [(Event, Event); 4] = [
    (Event::IDLE_BEGIN, Event::IDLE_END),
    (Event::WAIT_BARRIER_BEGIN, Event::WAIT_BARRIER_END),
    (Event::WAIT_TASKWAIT_BEGIN, Event::WAIT_TASKWAIT_END),
    (Event::WAIT_TASKGROUP_BEGIN, Event::WAIT_TASKGROUP_END),
];

event_sets! {
    /// A set of the report's events.
    ompt_event_t, u128, EventRow
}

impl EventSet {
    /// Every event.
    pub const ALL: Self = Self::of(Event::ALL);

    /// The set, with the missing end of each pair of which it has one end: begin and end of
    /// idleness, or of a wait.
    pub fn with_partners(self) -> Self {
        PAIRS.iter().fold(self, |set, (begin, end)| {
            match set.contains(*begin) || set.contains(*end) {
                true => set.union(Self::of(&[*begin, *end])),
                false => set,
            }
        })
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
