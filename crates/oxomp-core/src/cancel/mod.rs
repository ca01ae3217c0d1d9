//! Cancellation (OpenMP 5.2 §11): README.md beside this file tells how a cancelled region ends, and
//! which file has which part.

pub(crate) mod begun;
mod construct;
pub(crate) mod departure;
pub(crate) mod restore;
mod state;

pub use begun::discards_children;
pub use construct::{barrier, cancel, cancellation_point, is_active};
pub use state::Construct;
pub(crate) use state::{CancelState, CancelledConstructs};
