//! The barrier of a team, and the orders of its workers: see README.md in this folder. The protocol
//! is in `oxomp_protocol::barrier`.

mod construct;
pub(crate) mod order;

pub(crate) use construct::meet;
pub use construct::{barrier, gather, release};
