//! Tools of the 2015 report.
//!
//! A runtime runs tools of one interface, so these run only if the list has none of OpenMP's. Then
//! the multiplexer declines as a tool of OpenMP's, and runs as one of the report: each client has
//! an initializer and callbacks of its own, and gets the runtime's numbers and frames unchanged,
//! because the report's interface has nothing that a tool stores with the runtime.

mod client;
mod entry;
mod forward;
mod start;

pub(crate) use start::{Candidate, decline, is_running, offer};
