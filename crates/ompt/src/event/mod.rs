//! What an event tells, per event.

pub(crate) mod callback;
pub(crate) mod host;
pub(crate) mod target;
