//! Devices: what the handles of both interfaces have in common.

pub(crate) mod address;
pub(crate) mod buffers;
pub(crate) mod calls;
pub(crate) mod delivery;
pub(crate) mod functions;
pub(crate) mod handle;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod records;
pub(crate) mod state;
