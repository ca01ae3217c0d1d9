//! The columns of the table of events beyond the C interface.

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
    /// Not for constructs that the compiler expands without a call of the runtime, as gcc does with
    /// static loops, clang with `scope`. If the begin is raised, the end is raised, too.
    Sometimes,
    /// For no construct: the compiler expands it inline, or the runtime does not have it.
    Never,
}
