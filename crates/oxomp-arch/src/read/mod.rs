//! What tools read of others: of stopped processes, core files, binaries and recordings.
//!
//! Files may be of another processor than the one on which a tool runs, so this room is compiled
//! for all processors, and is data and pure functions only.

mod calls;
mod facts;
mod machine;
mod registers;
pub mod samples;
mod system_call;

pub use calls::{Calls, Target};
pub(crate) use facts::Facts;
pub use machine::Machine;
pub use registers::Registers;
pub use system_call::SystemCall;

/// The registers by DWARF's numbers, as unwinding tables have them.
pub mod dwarf {
    pub use super::registers::{FRAME_POINTER, GENERAL, PRESERVED, RETURN_ADDRESS, STACK_POINTER};
}
