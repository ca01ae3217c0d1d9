//! The columns of the table of events beyond the C interface, and the answers of the runtime.

use core::ffi::c_int;

/// The answer of `ompt_set_callback` and of `ompt_target_set_trace_ompt` (Tables 4 and 6): how far
/// an event can be reported. The report gives these numbers no names in C.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetResult(pub c_int);

impl SetResult {
    /// The call has no effect: no such event, or not the time for it.
    pub const ERROR: Self = Self(0);
    /// The event may happen but cannot be reported.
    pub const IMPOSSIBLE: Self = Self(1);
    /// The event never happens in this runtime.
    pub const NEVER: Self = Self(2);
    /// The event may happen, and the runtime reports it where that is convenient.
    pub const CONVENIENT: Self = Self(3);
    /// The runtime reports every occurrence.
    pub const ALWAYS: Self = Self(4);
}

/// The group of events to which the report counts an event (§3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Every runtime has it (§3.1).
    Mandatory,
    /// Optional, of tools that blame the thread for which others wait (§3.2.1).
    BlameShifting,
    /// Optional, of tools that measure at the begin and the end of constructs (§3.2.2).
    Instrumentation,
}
