//! The arguments of each event.

pub(crate) mod callback;
pub(crate) mod host;
pub(crate) mod target;
