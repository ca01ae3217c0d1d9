//! The barrier of a team, and the orders of its workers: see README.md in this folder. The protocol
//! is in `oxomp_protocol::barrier`.

mod construct;
mod layout;
pub(crate) mod order;

pub(crate) use construct::{arrive_at_end, meet_at_end};
pub use construct::{barrier, gather, release};
pub(crate) use layout::FIELDS;
