//! An implicit task's progress in the worksharing regions of its team, and the description and
//! memory of a loop in flight.

pub(super) mod awaited;
pub(super) mod in_doacross;
mod in_flight;
pub(super) mod in_loop;
pub(super) mod in_singles;
pub(super) mod schedule;
mod scratch;

pub(crate) use in_flight::InFlight;

/// The loops that a team has in flight.
pub(crate) type LoopRing = oxomp_protocol::loops::LoopRing<InFlight>;
pub(super) type LoopSlot = oxomp_protocol::loops::LoopSlot<InFlight>;
