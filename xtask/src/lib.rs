//! The project's own commands, run as `cargo xtask <command>`.
//!
//! Each module is one command or one thing several commands need. Nothing here is part of what
//! users run: `oxomp-build`, whose program starts this crate's, puts that together.

pub mod accuracy;
pub mod applications;
pub mod bench;
pub mod book;
pub mod columns;
pub mod consumers;
pub mod eztrace;
pub mod files;
pub mod foreign;
pub mod fuzz;
pub mod harness;
pub mod iomp;
pub mod layering;
pub mod matrix;
pub mod offload_cost;
pub mod offload_tests;
pub mod overhead;
pub mod package;
pub mod packages;
pub mod plants;
mod python;
mod references;
pub mod release;
pub mod soak;
pub mod test;
pub mod tokens;
