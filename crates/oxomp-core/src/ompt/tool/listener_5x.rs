//! The listener for tools of OpenMP 5 and 6.

use super::encoder_5x;
use super::enter_frame::enter_frame;
use super::in_flight::InFlight;
use crate::ompt::event::{Event, Hear, Listener};

/// Calls the tool's callback.
pub(super) static LISTENER: Listener = Listener::of::<Encoder5x>();

struct Encoder5x;

impl Hear for Encoder5x {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let _in_flight = InFlight::enter();
        let _frame = enter_frame(event);
        encoder_5x::deliver(event);
    }
}
