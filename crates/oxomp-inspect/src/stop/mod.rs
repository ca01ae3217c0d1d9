//! Stopping a live process, and letting it go.

mod attach;
mod hold;
mod refusal;

pub(crate) use attach::{Held, PATIENCE};
pub(crate) use hold::Hold;
pub(crate) use refusal::{check, process_of};
