//! OMPT's side to the tool: finds the tool, calls it, and serves its calls. README.md lists the
//! places where a tool is found, and what becomes of it however the process ends.
//!
//! A tool's life: `find` asks which tool wants to run, before the runtime reads anything; `start`
//! calls the tool's initializer, when the runtime is complete; the encoder of the tool's interface
//! turns events into callbacks; `finish` calls the tool's finalizer, after the last event. This
//! room has the encoder and the entry points of OpenMP 5 and 6; `report_2015` has those of the
//! report, on the same events. `found_tool` chooses between the two.

mod ancestry;
mod archer;
mod attach;
mod attribution;
mod callbacks;
mod control;
mod encoder_5x;
mod enter_frame;
mod entry_point;
mod entry_points;
mod found_tool;
mod listener;
mod log;
mod offload;
mod phase;
mod report_2015;
mod request;
mod restart_2015;
mod running_callbacks;
mod search;
mod session;
mod slots;
mod start_and_end;
#[cfg(test)]
mod tests;
mod under_way;

pub use control::{control, control_2015};
pub use offload::connect;
pub use phase::is_active;
pub(crate) use phase::{Hooks, is_starting};
pub use request::install as install_request;
pub use restart_2015::may_wait;
pub(crate) use restart_2015::{is_restartable, is_waiting, pause, resume, waits_for_use};
pub use search::{ask_next, ask_next_2015};
pub(crate) use start_and_end::{declines_a_routine, start, start_at_load};
pub use start_and_end::{find, finish, look_for_tool};

use core::ptr;

use crate::block::{Alone, Thread};

/// In the child of a fork(2): no callback of a thread that is gone runs any more. A tool of OpenMP
/// 5 or 6 goes on, and may lend the surviving thread another table of mutexes; one of the report is
/// searched for again.
pub(crate) fn after_fork_in_child(alone: &Alone) {
    Thread::known().inspect(|thread| {
        thread.ompt.lend_unreported(ptr::null_mut());
    });
    running_callbacks::forget_elsewhere(alone);
    start_and_end::after_fork_in_child(alone);
    restart_2015::after_fork_in_child(alone);
    attach::after_fork_in_child(alone);
}
