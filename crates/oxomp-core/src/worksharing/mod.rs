//! Worksharing regions: loops and sections, ordered, doacross, scope and single (OpenMP 5.2
//! chapter 11).
//!
//! Static schedules, by which each thread computes its own part, are in `static_loop`. The state
//! that threads share is in the ring of loops in flight (`oxomp_protocol::loops`). See README.md in
//! this folder.

mod doacross;
pub mod iterations;
mod ordered;
mod scope;
mod shared_loop;
mod single;
mod state;
mod static_chunks;
mod static_construct;
pub mod static_loop;
mod trapezoid;
mod waiting;

pub use doacross::{await_iteration, post_iteration};
pub use scope::{end_scope, scope, scope_to_barrier};
pub use single::{end_single, single, single_again};
pub use state::in_doacross::Dimension;
pub(crate) use state::in_loop::FIELDS as LOOP_FIELDS;
pub use state::in_loop::LoopState;
pub(crate) use state::in_singles::SingleState;
pub use state::schedule::{Chunk, ChunkValues, Schedule, WorksharingLoop};
pub(crate) use state::{InFlight, LoopRing};
pub use static_construct::{
    Among, begin_common_static, begin_static, begin_static_of_league, end_static, part_of_team,
};
