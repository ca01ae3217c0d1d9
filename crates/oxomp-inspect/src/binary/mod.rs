//! Loaded binaries, read from a process's memory.

mod elf;
mod module;
mod symbols;

pub(crate) use elf::{Elf, ProgramHeader, notes_in};
pub use module::Module;
pub(crate) use module::modules;
pub(crate) use symbols::{DynamicSymbols, Function};
