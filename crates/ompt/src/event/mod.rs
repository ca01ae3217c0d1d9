//! The arguments of each event.

pub(crate) mod callback;
mod device;
pub(crate) mod host;
mod lifecycle;
pub(crate) mod quiet;
pub(crate) mod target;
