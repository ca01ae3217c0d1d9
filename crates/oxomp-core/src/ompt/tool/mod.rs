//! OMPT's side to the tool: finds the tool, calls it, and serves its calls. README.md lists the
//! places where a tool is found, and what becomes of it however the process ends.
//!
//! A tool's life: `find` asks which tool wants to run, before the runtime reads anything; `start`
//! calls the tool's initializer, when the runtime is complete; the encoder of the tool's interface
//! turns events into callbacks; `finish` calls the tool's finalizer, after the last event. This
//! room has the encoder and the entry points of OpenMP 5 and 6; `report_2015` has those of the
//! report, on the same events. `interface` chooses between the two.

mod activation;
mod again;
mod ancestry;
mod archer;
mod attribution;
mod callbacks;
mod control;
mod encoder_5x;
mod enter_frame;
mod entry_point;
mod entry_points;
mod in_flight;
mod interface;
mod life;
mod listener;
mod log;
mod offload;
mod report_2015;
mod session;
mod slots;
#[cfg(test)]
mod tests;

pub use activation::{ask_next, ask_next_2015};
pub use again::may_wait;
pub(crate) use again::{is_restartable, is_waiting, pause, resume, waits_for_use};
pub use control::{control, control_2015};
pub use life::is_active;
pub(crate) use life::{Hooks, is_starting};
pub use offload::connect;
pub(crate) use session::{declines_a_routine, start, start_at_load};
pub use session::{find, finish, look_for_tool};

use core::ptr;

use crate::block::{Alone, Thread};

/// In the child of a fork(2): no callback of a thread that is gone runs any more. A tool of OpenMP
/// 5 or 6 goes on, and may lend the surviving thread another table of mutexes; one of the report is
/// searched for again.
pub(crate) fn after_fork_in_child(alone: &Alone) {
    Thread::known().inspect(|thread| {
        thread.ompt.lend_unreported(ptr::null_mut());
    });
    in_flight::forget_elsewhere(alone);
    session::after_fork_in_child(alone);
    again::after_fork_in_child(alone);
}
