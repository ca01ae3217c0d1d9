//! What tools read of others: of stopped processes, core files, binaries and recordings.
//!
//! Files may be of another processor than the one on which a tool runs, so this room is compiled
//! for all processors, and is data and pure functions only. Registers are those of the processor of
//! the build: processes and core files of others are not read.

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
pub use system_call::{StoppedCall, SystemCall};

/// The registers by DWARF's numbers, as unwinding tables have them.
pub mod dwarf {
    pub use super::registers::{
        FRAME_POINTER, GENERAL, LINK, PRESERVED, RETURN_ADDRESS, SIGNAL_RETURN, STACK_POINTER,
        code_address,
    };
}
