//! Worksharing regions: loops whose chunks are handed out, and single (OpenMP 5.2 chapter 11).
//!
//! Schedules that are arithmetic alone are in `static_loop`; what threads share is in the ring of
//! loops in flight (`oxomp_protocol::loops`). README.md beside this file.

pub mod iterations;
mod ordered;
mod schedule;
mod scratch;
mod shared_loop;
mod single;
mod state;
pub mod static_loop;
mod trapezoid;

pub(crate) use scratch::Scratch;

pub use schedule::{Chunk, ChunkValues, Schedule, WorksharingLoop};
pub use single::{end_single, single};
pub use state::in_loop::LoopState;
pub(crate) use state::in_singles::SingleState;

/// The loops that a team has in flight.
pub(crate) type LoopRing = oxomp_protocol::loops::LoopRing<Scratch>;
type LoopSlot = oxomp_protocol::loops::LoopSlot<Scratch>;
