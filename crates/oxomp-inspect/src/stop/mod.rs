//! Stopping a live process, and letting it go.

mod attach;
mod hold;
pub(crate) mod refusal;

pub(crate) use attach::{Held, PATIENCE};
pub(crate) use hold::Hold;
