//! A process as the operating system has it: threads, registers, memory, modules, symbols and the
//! paths of calls, without any knowledge of OpenMP.
//!
//! An [`Image`] is a process that was stopped and goes on when the image is dropped, or the core
//! file of a process that has ended. Only 64-bit processes of the processor
//! [`oxomp_arch::read::Machine::INSPECTED`] are read.
//!
//! Nothing that is read is trusted: a process may have overwritten its own memory, and a core file
//! may be truncated or damaged. Every length is bounded, every walk ends, and a part that cannot be
//! read is absent from the answer.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod binary;
mod bytes;
mod callee;
mod child;
mod core_file;
mod error;
mod image;
mod live;
mod maps;
mod memory;
mod names;
mod pages;
mod path;
mod status;
mod stop;
mod thread;
mod unwind;

pub use binary::Module;
pub use child::{Child, Event};
pub use error::{Error, Result};
pub use image::{Definition, Image};
pub use memory::ProcessMemory;
pub use oxomp_arch::read::Registers;
pub use oxomp_symbols::Place;
pub use path::{CallPath, Frame};
pub use thread::{NativeThread, Signal};
pub use unwind::{PathEnd, RawFrame, Unwinder, Walk};
