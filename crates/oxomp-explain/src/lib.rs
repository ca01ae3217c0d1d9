//! What a person sees of a stopped OpenMP process on oxomp, and why it does not go on.
//!
//! - [`situation`]: the process as plain data: threads, regions, tasks, waits.
//! - [`graph`]: who waits for whom, and the proof that some of them never go on.
//! - [`snapshot`]: reads a situation from a process.
//! - [`text`]: the explanation in words.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod graph;
#[cfg(test)]
mod sample;
pub mod situation;
pub mod snapshot;
pub mod text;

pub use snapshot::{Runtime, Snapshot};
