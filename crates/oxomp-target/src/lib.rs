//! The offload runtime: what compilers' offloading code calls, over devices of any kind.
//!
//! A *plug-in* ([`plugin`]) drives devices; everything else here is the same for all of them. The
//! README has the steps of a construct and the protocols between threads, with their arguments.
//!
//! | piece | where |
//! |---|---|
//! | what a plug-in implements | [`plugin`] |
//! | the libraries that offload, their images and entries | [`library`], [`entry`] |
//! | devices by number | [`offload`], [`device`] |
//! | which host memory has a counterpart on a device | [`mapping`] |
//! | the list items of a construct | [`item`], [`components`], [`map_type`] |
//! | the call in the program | `call_site` |
//! | constructs: data, updates, kernels | [`construct`] |
//! | a transfer, as the user and tools see it | `transfer` |
//! | the routines for device memory | [`memory`], [`copy`], [`associate`] |
//! | copies that are tasks | [`deferred`] |
//! | interop objects | [`interop`] |
//! | the host runtime's functions, the loader's objects | [`host_runtime`], [`loader`] |
//! | fork(2) and the end of the process | [`fork`], `ending` |
//! | callbacks of tools | [`tool`] |
//! | traces of devices for tools | [`trace`] |
//! | environment, policy, messages | [`settings`], [`policy`], [`report`], [`info`], [`location`] |

#[macro_use]
mod sync;

pub mod associate;
pub mod call_site;
pub mod components;
pub mod construct;
pub mod copy;
pub mod deferred;
pub mod device;
mod ending;
pub mod entry;
pub mod fork;
pub mod host_runtime;
pub mod info;
pub mod interop;
pub mod item;
pub mod library;
pub mod loader;
pub mod location;
pub mod map_type;
pub mod mapping;
pub mod memory;
pub mod offload;
pub mod plugin;
pub mod policy;
pub mod report;
pub mod settings;
pub mod tool;
pub mod trace;
mod transfer;

#[cfg(all(test, feature = "model"))]
mod models;
#[cfg(test)]
#[cfg_attr(feature = "model", allow(dead_code, reason = "the models use a part"))]
mod testing;
#[cfg(all(test, not(feature = "model")))]
mod tests;
