//! The runtime's answers to the registration of the multiplexer's callbacks.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

use ompt::raw::c::{ompt_callbacks_t, ompt_set_result_t};

use crate::tools::EVENTS;

/// The runtime's answer, by event; `NOT_REGISTERED` while the event is not registered.
static ANSWERS: [AtomicI32; EVENTS] = [const { AtomicI32::new(NOT_REGISTERED) }; EVENTS];

const NOT_REGISTERED: c_int = -1;

/// Forgets the answers of an earlier runtime.
pub(crate) fn forget() {
    for answer in &ANSWERS {
        answer.store(NOT_REGISTERED, SeqCst);
    }
}

/// The answer for the event at a position; `None` while it is not registered.
pub(crate) fn get(at: usize) -> Option<ompt_set_result_t> {
    let answer = ANSWERS[at].load(SeqCst);
    (answer != NOT_REGISTERED).then_some(ompt_set_result_t(answer))
}

/// Keeps the answer for the event at a position; with `None` the event is not registered any more.
pub(crate) fn set(at: usize, answer: Option<ompt_set_result_t>) {
    ANSWERS[at].store(answer.map_or(NOT_REGISTERED, |answer| answer.0), SeqCst);
}

/// Whether the runtime raises the events of target regions in the form with endpoints. From these
/// the multiplexer makes the events of the earlier form.
pub(crate) fn raises_emi() -> bool {
    let answer = ANSWERS[ompt_callbacks_t::TARGET_EMI.0 as usize].load(SeqCst);
    // An event that never comes is not raised.
    answer > ompt_set_result_t::IMPOSSIBLE.0
}
