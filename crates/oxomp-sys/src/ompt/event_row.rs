//! The columns of the table of events beyond the C interface.

use super::{ompt_callbacks_t, ompt_set_result_t};

/// Where an event happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// In the program's own process.
    Host,
    /// Of a device or of a target construct.
    Device,
}

/// The meaning of one call of an event's callback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// One moment. An object whose begin and end are two events, such as a thread, has two rows.
    Point,
    /// The begin or the end of a region: the callback has an `endpoint`.
    Region,
}

/// The answer of `ompt_set_callback` that the specification or existing tools demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// The specification demands `ompt_set_always` (5.1 §4.2.4, 6.0 §32.2.4), also of a runtime
    /// that lacks the construct.
    Mandatory,
    /// The specification allows any answer but `ompt_set_error`.
    Optional,
}

/// For which occurrences the runtime raises an event, in the programs of one family of compilers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Raised {
    /// For every occurrence.
    Always,
    /// Not for those that the compiler expands without a call of the runtime, as gcc does with
    /// static loops, clang with `scope`. A begin that is raised has its end.
    Sometimes,
    /// For none: the compiler expands the construct inline, or the runtime does not have it.
    Never,
}

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
    /// The row of `event`; none for a number that is no event's.
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
