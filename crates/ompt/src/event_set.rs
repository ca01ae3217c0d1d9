//! Events by name, and sets of them.

use oxomp_sys::ompt::{EventRow, Side, ompt_callbacks_t};

use crate::event_sets::event_sets;

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
        }
    };
}

oxomp_sys::for_each_event!(define_events);

impl Event {
    /// The name of the event: C's without `ompt_callback_`.
    pub const fn name(self) -> &'static str {
        match EventRow::of(self.raw()) {
            Some(row) => row.name,
            None => unreachable!(),
        }
    }
}

event_sets! {
    /// A set of events.
    ompt_callbacks_t, u64, EventRow
}

impl EventSet {
    /// Everything that happens on the host, without target constructs and devices.
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

    /// The set as bits: bit N stands for the event with the number N.
    pub(crate) const fn bits(self) -> u64 {
        self.0
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
