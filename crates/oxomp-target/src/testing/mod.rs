//! What the tests and the models use in place of a device and of programs.

pub(crate) mod construct;
pub(crate) mod device;
pub(crate) mod library;
