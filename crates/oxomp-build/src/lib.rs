//! From the repository to the folder that users run from.
//!
//! `cargo xtask` starts this crate's program. It executes `demo` and `dist` itself, and starts the
//! crate `xtask` for the other commands: a user's first profile waits for nothing that only those
//! need.

pub mod command;
pub mod commands;
pub mod demo;
pub mod dist;
pub mod elf;
pub mod exports;
pub mod workspace;
