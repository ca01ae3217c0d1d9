//! The shared object that answers to `libomptarget.so.19.1` and `libomptarget.so.22.1`: each
//! exported function converts its arguments, calls `oxomp-target`, and converts the answer back.
//!
//! `README.md` lists the symbols, and those that answer with an error.

#[macro_use]
mod export;

pub mod absent;
mod arguments;
pub mod data;
pub mod devices;
pub mod extensions;
pub mod interop;
pub mod kernel;
pub mod legacy;
pub mod mapper;
pub mod memory;
pub mod registration;
pub mod tools;
mod transfer;

use std::sync::OnceLock;

use oxomp_target::fork;
use oxomp_target::offload::Offload;
use oxomp_target_host::HostPlugin;

#[cfg(not(any(panic = "abort", test)))]
compile_error!(
    "libomptarget must be built with panic=\"abort\" (profiles dev, testing and release are): \
     unwinding into C is undefined behaviour"
);

/// The offload runtime of the process.
fn offload() -> &'static Offload {
    static OFFLOAD: OnceLock<Offload> = OnceLock::new();
    OFFLOAD.get_or_init(|| {
        fork::watch(|| OFFLOAD.get());
        Offload::new(vec![Box::new(HostPlugin::from_environment())])
    })
}
