//! The listener of events for a tool, of whichever interface: counts its running callbacks, marks
//! the task as inside the runtime, and finds the address in the program to which an event belongs.

use core::ffi::c_void;
use core::marker::PhantomData;

use super::attribution;
use super::enter_frame::enter_frame;
use super::in_flight::InFlight;
use crate::ompt::event::{Event, Hear};

/// The encoder of an interface: turns events into calls of the tool's callbacks.
pub(super) trait Encode {
    /// Calls the callback that the tool has registered for the event, if any; `code` is the address
    /// in the program to which the event belongs.
    ///
    /// An implementation is `#[inline(always)]`, so that a `match` on the event is resolved where
    /// the event's variant is known.
    fn encode(event: &Event<'_>, code: *const c_void);
}

/// Hears events for a tool of the interface that `E` encodes.
pub(super) struct ForTool<E>(PhantomData<E>);

impl<E: Encode> Hear for ForTool<E> {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let _in_flight = InFlight::enter();
        let _frame = enter_frame(event);
        match attribution::of_call(event) {
            Some(code) => E::encode(event, code),
            None => {
                // A copy: the fields of `event` itself stay in registers.
                let event = *event;
                encode_attributed::<E>(&event);
            }
        }
    }
}

/// Encodes an event whose call the program made by a jump.
#[cold]
#[inline(never)]
fn encode_attributed<E: Encode>(event: &Event<'_>) {
    E::encode(event, attribution::of_jump(event));
}
