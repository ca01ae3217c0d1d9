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
pub(super) use entry_points::look_up;

use super::enter_frame;
use super::in_flight::InFlight;
use crate::ompt::event::{Event, Hear, Listener};

/// The listener for tools of the report: calls the tool's callback.
pub(super) static LISTENER: Listener = Listener::of::<Encoder>();

struct Encoder;

impl Hear for Encoder {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let _in_flight = InFlight::enter();
        let _frame = enter_frame(event);
        encoder::deliver(event);
    }
}
