//! The arguments of each event.

pub(crate) mod callback;
pub(crate) mod host;
mod lifecycle;
pub(crate) mod quiet;
pub(crate) mod target;
