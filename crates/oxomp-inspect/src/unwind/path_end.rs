//! Why a path of calls ends.

use std::fmt;

/// The longest path that is walked: one that is longer is cut at its outer end.
pub(super) const MOST_FRAMES: usize = 1 << 16;

/// Why a path of calls has no further frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// The last frame belongs to the thread's first function.
    Bottom,
    /// The thread's registers are not known.
    NoRegisters,
    /// No table tells how to leave the last frame, and it keeps no frame pointer.
    NoTable,
    /// The stack cannot be read at this address.
    Unreadable(u64),
    /// What the stack holds cannot be a frame: it was overwritten, or the table is wrong.
    Damaged,
    /// There are more frames than are walked.
    TooLong,
}

impl fmt::Display for PathEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bottom => f.write_str("the thread's first function"),
            Self::NoRegisters => f.write_str("the thread's registers are not known"),
            Self::NoTable => f.write_str("nothing tells where this code was called from"),
            Self::Unreadable(address) => write!(f, "the stack at {address:#x} cannot be read"),
            Self::Damaged => f.write_str("the stack is damaged here"),
            Self::TooLong => write!(f, "more than {MOST_FRAMES} frames"),
        }
    }
}
