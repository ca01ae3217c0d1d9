//! The rows of the table of the report's events, and the numbers of the events (App. A.2).

use core::ffi::c_int;

use super::event_column::{Class, SetResult};

/// One row of the table of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// The event's number.
    pub event: ompt_event_t,
    /// The event's name: C's without `ompt_event_`.
    pub name: &'static str,
    /// The group of events to which the report counts it.
    pub class: Class,
    /// The answer of oxomp's `ompt_set_callback` to a tool's initializer.
    pub answer: SetResult,
}

impl EventRow {
    /// The row of `event`; `None` if no event has this number.
    pub const fn of(event: ompt_event_t) -> Option<&'static Self> {
        match event.0 {
            number @ 1..=63 => Some(&Self::ALL[number as usize - 1]),
            number @ 65..=70 => Some(&Self::ALL[number as usize - 2]),
            _ => None,
        }
    }
}

macro_rules! define_events {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty,
        [$class:ident $answer:ident]
    );)*) => {
        c_enum! {
            /// The number of an event, as `ompt_set_callback` takes it.
            pub struct ompt_event_t(c_int);
            $($constant = $code => $c_name,)*
        }

        impl EventRow {
            /// The table, in the order of the events' numbers; no event has the number 64.
            pub const ALL: &'static [Self] = &in_order!([$(
                Self {
                    event: ompt_event_t::$constant,
                    name: stringify!($name),
                    class: Class::$class,
                    answer: SetResult::$answer,
                },
            )*]);
        }
    };
}

for_each_event_2015!(define_events);

const _: () = {
    let rows = EventRow::ALL;
    assert!(rows.len() == 69);
    let mut at = 0;
    while at < rows.len() {
        let row = &rows[at];
        let gap = (row.event.0 > 64) as usize;
        assert!(row.event.0 as usize == at + 1 + gap, "numbers run from 1 to 70 without 64");
        assert!(
            !matches!(row.class, Class::Mandatory) || row.answer.0 == SetResult::ALWAYS.0,
            "a mandatory event is always reported"
        );
        at += 1;
    }
};
