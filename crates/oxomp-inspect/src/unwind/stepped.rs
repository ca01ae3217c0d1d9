//! One step of a walk.

use super::known::Known;

/// One step outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stepped {
    /// The caller's registers; `None` if this frame is the outermost.
    pub(super) caller: Option<Known>,
    /// The stack pointer before the call of this function; `None` where it is not known.
    pub(super) frame_address: Option<u64>,
    /// No caller's frame lies below this address, unless a signal's handler has another stack.
    pub(super) above: u64,
    /// Whether the kernel made this frame to call a signal's handler.
    pub(super) signal: bool,
}
