//! What knows a processor, in one folder each with the same items.
//!
//! Two rooms, which do not use each other:
//!
//! - At the top of the crate is what a process executes itself: the slot of the calling thread, the
//!   frame at a call, calls of the program's functions, registers of its own signals. The runtime
//!   links it, so it has no crate of others but `libc`. It is compiled for one processor.
//! - [`read`] is what tools read of others: registers of stopped processes and of core files,
//!   system calls, binaries and their code. [`read::Machine`] names the processor.
//!
//! The README lists what a port writes, file by file. `cargo xtask layering` finds code elsewhere
//! that asks for the processor.

#![no_std]
#![warn(missing_docs)]

#[cfg(test)]
extern crate std;

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
compile_error!(
    "oxomp runs on x86_64 and aarch64: crates/oxomp-arch/README.md has what a port to another \
     processor writes"
);

mod aarch64;
mod call_site;
mod frame;
mod frameless;
pub mod read;
mod slot;
mod walk;
mod words;
mod x86_64;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "aarch64")]
use aarch64 as own;
#[cfg(target_arch = "x86_64")]
use x86_64 as own;

pub use call_site::{BorrowedSite, CallSite, Caller, kernels_return_to};
pub use frame::Frame;
pub use frameless::FramelessCall;
#[cfg(target_arch = "x86_64")]
pub use own::run::long_double;
pub use own::run::{
    WORDS_IN_REGISTERS, call_frameless, call_gomp, call_kmpc, call_on_stack, call_task, call_words,
    counter, counter_is_steady, frame_pointer, general_registers, kernel_call, prefetch,
    prefetch_to_write, registers_at, registers_here, registers_of, signal_bytes,
};
pub use walk::WalkRegisters;
pub use words::words_return_to;

/// Whether the processor has numbers of 80 bits, C's `long double` on it. LLVM's runtime has atomic
/// routines for them, and some others, on such processors only.
pub const HAS_X87: bool = cfg!(target_arch = "x86_64");
