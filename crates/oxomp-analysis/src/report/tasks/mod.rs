//! Explicit tasks: the table and their parallelism, and advice on them.

mod chains;
mod grain;
pub(super) mod late_chain;
mod late_events;
mod site;
pub(super) mod starvation;
mod table;
mod undeferred;

pub(super) use chains::{against_chain, against_imbalance};
pub(super) use grain::{against_small, are_small};
pub(super) use late_events::against_late_events;
pub(crate) use late_events::awaited_events;
pub(super) use site::site;
pub use table::task_bound;
pub(super) use table::write;
pub(super) use undeferred::against_undeferred;
