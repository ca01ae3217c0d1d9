//! Offload runtimes, such as LLVM's libomptarget and oxomp's own: they report the events of their
//! devices to the tool themselves, and ask this runtime for the tool's callbacks.
//!
//! `connection` has the runtimes that are connected, `look_up` what they get, `questions` what
//! this runtime asks oxomp's. `oxomp_sys::connection` describes what goes beyond LLVM's interface.

mod connection;
mod look_up;
mod questions;

pub use connection::connect;
pub(super) use connection::{disconnect, ends_tool, forget_begin, tell_all};
pub(super) use questions::{answer, answer_2015, device_info_2015};
