//! The functions that a debugger calls. They check the arguments, ask the rest of the library, and
//! write either all results or no result.
//!
//! A null handle is a stale handle; a null place for a result is bad input.

mod address_space;
mod arguments;
mod icv;
mod initialization;
mod parallel;
mod state;
mod task;
mod thread;
