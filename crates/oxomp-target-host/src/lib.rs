//! The plug-in for devices that are the host: images are shared objects for the host's processor,
//! kernels are functions in them.
//!
//! Each device has its own copy of each image, hence of declare target variables, and its own
//! counterparts of mapped variables: transfers are copies, as for any other device, so that a
//! program that forgets a transfer computes with wrong values here, too.

mod call;
mod elf;
mod image;
mod memory;
mod plugin;
mod processor;
mod queue;

pub use plugin::HostPlugin;
