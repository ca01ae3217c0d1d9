//! The state of a thread that waits for a slot of its team's loops: the team has too many loops in
//! flight.

use core::cell::Cell;

use crate::block::{Team, Thread};
use crate::ompt::event::State;

/// A thread that may have to wait for a slot: in the state `Overhead` from its first look at the
/// region's cancellation, which is the begin of the wait, until this value is dropped. On the fast
/// path, without a wait, the compiler removes it.
pub(super) struct Waiting<'a> {
    thread: &'a Thread,
    team: &'static Team,
    before: Cell<Option<State>>,
}

impl<'a> Waiting<'a> {
    #[inline(always)]
    pub(super) fn new(thread: &'a Thread, team: &'static Team) -> Self {
        Waiting { thread, team, before: Cell::new(None) }
    }

    /// Whether the wait is over because the region is cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        if self.before.get().is_none() {
            self.before.set(Some(self.thread.set_state(State::Overhead)));
        }
        self.team.is_cancelled()
    }
}

impl Drop for Waiting<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(before) = self.before.get() {
            self.thread.set_state(before);
        }
    }
}
