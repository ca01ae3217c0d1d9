//! Ordered regions of a loop: threads execute them one at a time, in the order of the iterations
//! (OpenMP 5.2 §15.10).

use core::ptr;

use oxomp_arch::CallSite;
use oxomp_base::diag;
use oxomp_protocol::patience::Patience;

use super::LoopState;
use crate::block::{Team, Thread};
use crate::ompt::event::{Audience, MutexKind, for_audience};

/// Reports an ordered region for which there is no turn to wait for.
#[cold]
#[inline(never)]
fn out_of_order(state: &LoopState) {
    let why = if state.is_ordered() {
        "the iteration has had its ordered region"
    } else {
        "not in a loop with an ordered clause"
    };
    diag::misuse("ordered", format_args!("{why}"), "it is executed out of order");
}

/// The wait id of the loop's turn for tools: the address of the word that the team shares, or of
/// the loop's state in a team of one.
#[inline(always)]
fn wait_id(state: &LoopState) -> u64 {
    match state.slot() {
        Some(slot) => ptr::from_ref(slot.turn_of()) as u64,
        None => ptr::from_ref(state) as u64,
    }
}

/// The patience with which a thread of the team waits for its turn; `None` in a team of one.
fn patience(team: &Team) -> Option<Patience> {
    (team.size() != 1).then(|| team.patience())
}

#[inline(always)]
fn begin_for(audience: impl Audience, thread: &Thread, site: CallSite) {
    let task = thread.implicit_task();
    let _frame = audience.enter(&task.ompt, site);
    let state = &task.worksharing;
    audience.mutex_acquire(MutexKind::Ordered, 0, wait_id(state), site);
    if !state.ordered.has_chunk() && task.team().size() != 1 {
        out_of_order(state);
    }
    if let Some(slot) = state.slot() {
        let turn_of = slot.turn_of();
        thread.ompt.wait_for(MutexKind::Ordered, wait_id(state), || {
            let team = task.team();
            let is_cancelled = || team.is_cancelled();
            let has_to_wait = || state.ordered.has_to_wait(turn_of, patience(team));
            if audience.hears_events() && has_to_wait() && !is_cancelled() {
                audience.mutex_wait(MutexKind::Ordered, 0, wait_id(state), site);
            }
            state.ordered.take_turn(turn_of, patience(team), is_cancelled);
        });
    }
    audience.mutex_acquired(MutexKind::Ordered, wait_id(state), site);
}

#[inline(always)]
fn end_for(audience: impl Audience, thread: &Thread, site: CallSite) {
    let task = thread.implicit_task();
    let _frame = audience.enter(&task.ompt, site);
    let state = &task.worksharing;
    let wait_id = wait_id(state);
    if let Some(slot) = state.slot() {
        state.ordered.end_region(slot.turn_of());
    }
    audience.mutex_released(MutexKind::Ordered, wait_id, site);
}

impl Thread {
    /// Enters the ordered region of the current iteration: waits for its turn.
    #[inline(always)]
    pub fn begin_ordered(&self, site: CallSite) {
        for_audience!(|audience| begin_for(audience, self, site));
    }

    /// Leaves the ordered region.
    #[inline(always)]
    pub fn end_ordered(&self, site: CallSite) {
        for_audience!(|audience| end_for(audience, self, site));
    }

    /// Ends the current iteration of an ordered loop, with or without an ordered region.
    pub fn end_ordered_iteration(&self) {
        let state = &self.implicit_task().worksharing;
        if let Some(slot) = state.slot() {
            state.ordered.end_iteration(slot.turn_of());
        }
    }

    /// Ends the current chunk of an ordered loop: waits for its turn, and passes it on.
    #[cold]
    pub(super) fn end_ordered_chunk(&self) {
        let task = self.implicit_task();
        let state = &task.worksharing;
        if let Some(slot) = state.slot() {
            let team = task.team();
            self.ompt.wait_for(MutexKind::Ordered, wait_id(state), || {
                state.ordered.end_chunk(slot.turn_of(), patience(team), || team.is_cancelled());
            });
        }
    }
}
