//! The registers with which a walk along a stack of this process begins.

/// The registers with which a walk along a stack begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRegisters {
    /// The address of the next instruction.
    pub address: u64,
    /// The link register; `address` on processors that have none.
    pub link: u64,
    /// The stack pointer.
    pub stack: u64,
    /// The frame pointer.
    pub frame: u64,
}
