//! Tools of the 2015 report.
//!
//! A runtime runs tools of one interface, so these run only if the list has no tool of OpenMP's
//! interface. Then the multiplexer declines as a tool of OpenMP's interface, and runs as a tool of
//! the report: each client has an initializer and callbacks of its own, and gets the runtime's
//! numbers and frames unchanged, because the report's interface has nothing that a tool stores with
//! the runtime.

mod candidate;
mod client;
mod entry;
mod forward;
mod registration;
mod session;
mod start;

pub(crate) use candidate::Candidate;
pub(crate) use session::is_running;
pub(crate) use start::{decline, offer};
