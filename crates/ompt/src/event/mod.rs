//! The arguments of each event.

mod argument;
pub(crate) mod callback;
mod device;
pub(crate) mod host;
mod lifecycle;
pub(crate) mod quiet;
pub(crate) mod target;
