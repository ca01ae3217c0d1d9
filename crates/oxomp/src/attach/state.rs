//! The states of the runtime's variable (`oxomp_sys::attach`).

use oxomp_sys::attach::{ATTACHED, CLOSED, ENDING, FAILED, OPEN, STARTING, TAKEN};

/// A state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The runtime has not started yet, or has ended.
    Closed,
    /// A tool can be attached.
    Open,
    /// A tool is loaded.
    Starting,
    /// The tool has been attached.
    Attached,
    /// The tool could not be attached.
    Failed,
    /// The process ends, and the tool with it.
    Ending,
    /// The program was started with a tool.
    Taken,
    /// No state that this version knows.
    Unknown,
}

impl State {
    pub(super) const fn from_number(number: u32) -> Self {
        match number {
            CLOSED => Self::Closed,
            OPEN => Self::Open,
            STARTING => Self::Starting,
            ATTACHED => Self::Attached,
            FAILED => Self::Failed,
            ENDING => Self::Ending,
            TAKEN => Self::Taken,
            _ => Self::Unknown,
        }
    }
}
