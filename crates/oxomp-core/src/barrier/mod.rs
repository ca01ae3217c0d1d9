//! The barrier of a team, and the orders of its workers. README.md beside this file; how threads
//! meet there is `oxomp_protocol::barrier`.

mod construct;
pub(crate) mod order;

pub(crate) use construct::meet;
pub use construct::{barrier, gather, release};
