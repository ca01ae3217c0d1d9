//! The arguments of each event.

pub(crate) mod argument;
mod arguments;
pub(crate) mod callback;
mod device;
pub(crate) mod host;
mod lifecycle;
pub(crate) mod quiet;
pub(crate) mod read;
pub(crate) mod target;
