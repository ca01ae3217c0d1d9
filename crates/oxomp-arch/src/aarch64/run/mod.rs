//! What a process on aarch64, AAPCS64, executes.

mod call;
mod counter;
mod frame;
mod frameless;
mod kernel;
mod registers;
mod slot;
mod stack;
mod variadic;
mod words;

pub use call::{call_gomp, call_kmpc, call_task};
pub use counter::{counter, counter_is_steady, prefetch, prefetch_to_write};
pub(crate) use frame::frame_is_kept;
pub use frame::frame_pointer;
pub use frameless::call_frameless;
pub use kernel::kernel_call;
pub use registers::{general_registers, registers_at, registers_here, registers_of};
pub use stack::{call_on_stack, signal_bytes};
pub use variadic::WORDS_IN_REGISTERS;
pub use words::call_words;
