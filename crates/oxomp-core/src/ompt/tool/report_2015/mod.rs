//! The interface of the OMPT technical report of 2015, "version 2": its encoder of events, its
//! callbacks and its entry points. README.md has the rules that its tools can rely on.

mod callbacks;
mod dependences;
mod encoder;
mod entry_points;
mod number;
mod offload;
mod region;
mod switch;
mod target;
mod wait;

pub(super) use callbacks::{begin, clear, control, publish, shutdown_callback, wait_until_clear};
pub(super) use encoder::LISTENER;
pub(super) use entry_points::{get_callback, look_up};
pub(super) use offload::{get_task, new_id};
