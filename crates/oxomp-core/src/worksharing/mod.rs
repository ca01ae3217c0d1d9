//! Worksharing regions: loops whose chunks are handed out, and single (OpenMP 5.2 chapter 11).
//!
//! Schedules that are arithmetic alone are in `static_loop`; what threads share is in the ring of
//! loops in flight. Its protocol is in README.md beside this file.

pub mod iterations;
mod ordered;
mod ring;
mod schedule;
#[cfg(not(loom))]
mod scratch;
mod shared_loop;
mod single;
pub mod static_loop;
mod steal;
mod trapezoid;
mod turn;

pub(crate) use ring::LoopRing;
pub use schedule::{Chunk, ChunkValues, Schedule, WorksharingLoop};
pub use shared_loop::LoopState;
pub(crate) use single::SingleState;
pub use single::{end_single, single};
