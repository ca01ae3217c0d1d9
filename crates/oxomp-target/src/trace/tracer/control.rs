//! What the tool asks of the trace of a device, and the end of the tool.

use std::time::Instant;

use super::super::callbacks::Callbacks;
use super::super::delivery;
use super::super::phase::Phase;
use super::super::queue::Session;
use super::super::selection::Selection;
use super::{State, Tracer};
use crate::sync::{MutexGuard, lock, wait_while};

impl Tracer {
    /// Changes what is recorded.
    pub(in super::super) fn select<T>(&self, change: impl FnOnce(&mut Selection) -> T) -> T {
        let mut state = lock(&self.state);
        let answer = change(&mut state.selection);
        self.publish(&state);
        answer
    }

    /// Starts the trace. Returns whether it has started.
    pub(in super::super) fn start(&'static self, callbacks: Callbacks) -> bool {
        // Before the trace is on: from then on records may wake the thread.
        if !delivery::enlist() {
            return false;
        }
        let mut state = lock(&self.state);
        let (was, next) = (state.phase, state.phase.start());
        if let Some(phase) = next {
            let number = state.session.map_or(0, |session| session.number) + 1;
            state.session = Some(Session { number, callbacks });
            state.phase = phase;
            state.forget_unfinished();
            self.publish(&state);
        }
        drop(state);
        // A starved trace counts already.
        if next.is_none() || was != Phase::Off {
            delivery::delist();
            delivery::join(None);
        }
        next.is_some()
    }

    /// Pauses or resumes the trace. Returns whether a trace is on.
    pub(in super::super) fn pause(&'static self, begins: bool) -> bool {
        let mut state = lock(&self.state);
        // An operation that is done by now was not done in the pause.
        let is_new = self.settle_locked(&mut state, true);
        let next = state.phase.pause(begins);
        if let Some(phase) = next {
            state.phase = phase;
            self.publish(&state);
        }
        drop(state);
        self.warn_if(is_new);
        next.is_some()
    }

    /// Hands over the records that there are. Returns whether a trace is on.
    pub(in super::super) fn flush(&'static self) -> bool {
        let mut state = lock(&self.state);
        if state.phase == Phase::Off {
            return false;
        }
        let is_new = self.settle_locked(&mut state, true);
        self.hand_over_all(state, None);
        self.warn_if(is_new);
        true
    }

    /// Ends the trace, and hands over its records. Returns whether there was one.
    pub(in super::super) fn stop(&'static self) -> bool {
        self.stop_before(None)
    }

    fn stop_before(&'static self, deadline: Option<Instant>) -> bool {
        let mut state = lock(&self.state);
        let is_new = self.settle_locked(&mut state, true);
        let Some(phase) = state.phase.stop() else { return false };
        state.phase = phase;
        state.forget_unfinished();
        self.publish(&state);
        self.hand_over_all(state, deadline);
        self.warn_if(is_new);
        delivery::delist();
        delivery::join(deadline);
        true
    }

    /// Ends the trace, if one is on, since the tool ends. It waits for the tool's functions, at
    /// most until the deadline. If the tool ends in its own function for buffers, it gets no record
    /// after that.
    pub(crate) fn finalize(&'static self, deadline: Instant) {
        if delivery::is_current_thread() {
            return self.discard();
        }
        self.stop_before(Some(deadline));
        self.select(|selection| *selection = Selection::default());
        delivery::join(Some(deadline));
    }

    /// Ends the trace, if one is on, since the tool has ended: from now on no function of the tool
    /// is called, and the records that the tool has not got are dropped.
    pub(in super::super) fn discard(&'static self) {
        if self.drop_all(lock(&self.state)) {
            delivery::delist();
        }
    }

    /// Waits until the tool has got all records that there are, or until the deadline. On the
    /// delivery thread, in a callback of the tool, it does not wait: the records follow after the
    /// callback's return.
    fn hand_over_all(&'static self, mut state: MutexGuard<'_, State>, deadline: Option<Instant>) {
        let all = state.queue.created();
        if state.handed >= all {
            return;
        }
        state.due = all;
        self.schedule(&mut state);
        if delivery::is_current_thread() {
            return;
        }
        let is_late = |state: &mut State| state.handed < all;
        drop(wait_while(&self.changed, state, deadline, is_late));
    }
}
