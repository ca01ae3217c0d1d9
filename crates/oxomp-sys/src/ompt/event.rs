//! The rows of the table of events, and the numbers of the events (OpenMP 5.0 §4.4.4.2).

use core::ffi::c_int;

use super::event_column::{Duty, Ends, Raised, Side};
use super::ompt_set_result_t;

/// One row of the table of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// The event's number.
    pub event: ompt_callbacks_t,
    /// The event's name: C's without `ompt_callback_`.
    pub name: &'static str,
    /// Where the event happens.
    pub side: Side,
    /// The meaning of one call of its callback.
    pub ends: Ends,
    /// The answer that the specification or existing tools demand.
    pub duty: Duty,
    /// The occurrences for which oxomp raises it in programs of clang and flang.
    pub clang: Raised,
    /// The occurrences for which oxomp raises it in programs of gcc and gfortran.
    pub gcc: Raised,
}

impl EventRow {
    /// The row of `event`; `None` if no event has this number.
    pub const fn of(event: ompt_callbacks_t) -> Option<&'static Self> {
        if event.0 < 1 || event.0 as usize > Self::ALL.len() {
            return None;
        }
        Some(&Self::ALL[event.0 as usize - 1])
    }

    /// Whether oxomp raises the event at all.
    pub const fn is_raised(&self) -> bool {
        !matches!((self.clang, self.gcc), (Raised::Never, Raised::Never))
    }

    /// The answer of oxomp's `ompt_set_callback`.
    ///
    /// The runtime does not know which compiler made the calls to come, so the answer holds for
    /// both families.
    pub const fn answer(&self) -> ompt_set_result_t {
        match (self.duty, self.clang, self.gcc, self.ends) {
            (Duty::Mandatory, ..) => ompt_set_result_t::ALWAYS,
            (_, Raised::Always, Raised::Always, _) => ompt_set_result_t::ALWAYS,
            (_, Raised::Never, Raised::Never, _) => ompt_set_result_t::NEVER,
            (.., Ends::Region) => ompt_set_result_t::SOMETIMES_PAIRED,
            (.., Ends::Point) => ompt_set_result_t::SOMETIMES,
        }
    }
}

macro_rules! define_callbacks {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty,
        [$side:ident $ends:ident $duty:ident, clang: $clang:ident, gcc: $gcc:ident]
    );)*) => {
        c_enum! {
            /// The number of an event, as `ompt_set_callback` takes it.
            pub struct ompt_callbacks_t(c_int);
            $($constant = $code => $c_name,)*
        }

        impl EventRow {
            /// The table: the row of the event with number n is the n-th, counted from 1.
            pub const ALL: &'static [Self] = &in_order!([$(
                Self {
                    event: ompt_callbacks_t::$constant,
                    name: stringify!($name),
                    side: Side::$side,
                    ends: Ends::$ends,
                    duty: Duty::$duty,
                    clang: Raised::$clang,
                    gcc: Raised::$gcc,
                },
            )*]);
        }
    };
}

for_each_event!(define_callbacks);

const _: () = {
    let rows = EventRow::ALL;
    let mut at = 0;
    while at < rows.len() {
        assert!(rows[at].event.0 as usize == at + 1, "event numbers run from 1 without a gap");
        at += 1;
    }
};

/// A mandatory event may not be raised for some occurrences only. Code of clang's and flang's that
/// offloads calls libomptarget, which raises the events of devices itself.
const _: () = {
    let mut at = 0;
    while at < EventRow::ALL.len() {
        let row = &EventRow::ALL[at];
        let whole = matches!(
            (row.side, row.clang, row.gcc),
            (Side::Device, Raised::Never, Raised::Always)
                | (_, Raised::Always, Raised::Always)
                | (_, Raised::Never, Raised::Never)
        );
        assert!(
            whole || !matches!(row.duty, Duty::Mandatory),
            "a mandatory event is raised always"
        );
        at += 1;
    }
};
