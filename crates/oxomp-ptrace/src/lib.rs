//! Linux's ptrace(2) and the waits that belong to it, as safe functions over plain numbers.
//!
//! Signals are numbers here, for a tracer must hand on real-time signals too: glibc's threads use
//! two for their own ends, and a list of named signals has no room for them. Each function is one
//! system call. A tracee belongs to the *thread* that began to trace it, and only that thread may
//! call these functions on it; when that thread ends, in whatever way, the kernel lets it go.
//!
//! Calls that write another process are not offered. Those that remain take numbers and return
//! values, so that no argument can break the caller's memory.

#![cfg(target_os = "linux")]
#![warn(missing_docs)]

mod registers;
mod request;
mod spawn;
mod wait;

pub use registers::registers;
pub use request::{
    SignalDetails, detach, event_message, interrupt, listen, resume, seize, signal_details,
};
pub use spawn::{send_signal, stop_at_exec};
pub use wait::{Status, wait, wait_no_hang};

/// A thread's number, as the kernel gives it.
pub type Lwp = i32;

/// The event of a stop by [`interrupt`], or of a group's stop by a signal.
pub const EVENT_STOP: i32 = 128;
/// The event of the creation of a thread; [`event_message`] is its number.
pub const EVENT_CLONE: i32 = libc::PTRACE_EVENT_CLONE;
/// The event of a program's replacement by another; [`event_message`] is the caller's number.
pub const EVENT_EXEC: i32 = libc::PTRACE_EVENT_EXEC;
/// The option by which new threads of a tracee are traced from their first instruction.
pub const TRACE_CLONE: i32 = libc::PTRACE_O_TRACECLONE;
/// The option by which execve(2) stops with [`EVENT_EXEC`].
pub const TRACE_EXEC: i32 = libc::PTRACE_O_TRACEEXEC;
