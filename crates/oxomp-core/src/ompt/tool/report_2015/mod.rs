//! The interface of the OMPT technical report of 2015, "version 2": its encoder of events, its
//! callbacks and its entry points. README.md has the rules that its tools can rely on.

mod callbacks;
mod dependences;
mod encoder;
mod entry_points;
mod number;
mod region;
mod switch;
mod target;
mod wait;

pub(super) use callbacks::{begin, clear, control, publish, shutdown_callback, wait_until_clear};
pub(super) use encoder::LISTENER;
pub(super) use entry_points::look_up;
