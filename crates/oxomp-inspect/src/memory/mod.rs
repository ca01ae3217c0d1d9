//! The memory of a process, and what a core file has of it.

mod core_memory;
mod process;

pub(crate) use core_memory::{CoreMemory, Region};
pub use process::ProcessMemory;
