//! The reasons why a call that controls a trace fails.

use core::ffi::{CStr, c_int};
use core::fmt;

/// The reason why a call that controls a trace has done nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceError {
    /// The device lacks the entry point of this name, which the call needs.
    Missing(&'static CStr),
    /// The device was finalized, or the tool has ended.
    Ended,
    /// The thread is being handed records; see [`trace`](crate::trace), *Threads*.
    InRecords,
    /// The runtime answered that it has refused: the trace runs already, or it does not run.
    Refused,
}

impl TraceError {
    /// Converts the runtime's answer, which is not 0 if the runtime has done what it was told.
    pub(crate) fn of_answer(answer: Result<c_int, Self>) -> Result<(), Self> {
        match answer? {
            0 => Err(Self::Refused),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "the device has no {}", name.to_string_lossy()),
            Self::Ended => f.write_str("the device or the tool has ended"),
            Self::InRecords => f.write_str("not while records are handed over on this thread"),
            Self::Refused => f.write_str("the runtime refused"),
        }
    }
}

impl core::error::Error for TraceError {}
