//! `ompt_set_callback` of each client, and what is registered at the runtime.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicBool, AtomicI32,
    Ordering::{Acquire, Relaxed, Release},
};

use ompt::raw::report_2015::c::{
    EventRow, SetResult, ompt_callback_t, ompt_event_t, ompt_set_callback_t,
};

use super::client::{self, EVENTS};
use super::forward::forwarder;
use crate::tools::MAX_TOOLS;

/// The runtime's answer to the registration of the multiplexer, by event; `NOT_REGISTERED` before.
///
/// Relaxed: if two threads of a client register one event at once, both may ask the runtime; it
/// gets the same function from both, and gives both the same answer.
static ANSWERS: [AtomicI32; EVENTS] = [const { AtomicI32::new(NOT_REGISTERED) }; EVENTS];

const NOT_REGISTERED: i32 = -1;

/// For each client, whether its initializer runs: then it may register callbacks.
static IS_INITIALIZING: [AtomicBool; MAX_TOOLS] = [const { AtomicBool::new(false) }; MAX_TOOLS];

/// Forgets the answers of an earlier session.
pub(super) fn forget() {
    for answer in &ANSWERS {
        answer.store(NOT_REGISTERED, Relaxed);
    }
}

/// Begins or ends the time in which a client registers callbacks.
pub(super) fn set_initializing(client: usize, is_initializing: bool) {
    IS_INITIALIZING[client].store(is_initializing, Release);
}

/// `ompt_set_callback` of a client: the runtime's answer, which is the same for every client.
pub(super) fn set(
    client: usize,
    event: ompt_event_t,
    callback: Option<ompt_callback_t>,
    of_runtime: ompt_set_callback_t,
) -> SetResult {
    if EventRow::of(event).is_none() || !IS_INITIALIZING[client].load(Acquire) {
        return SetResult::ERROR;
    }
    let Some(callback) = callback else {
        // With null, the forwarder stays registered, and finds no callback to call.
        client::set(client, event, null_mut());
        return SetResult::ALWAYS;
    };
    let answer = register(event, of_runtime);
    if answer != SetResult::ERROR {
        client::set(client, event, callback as *mut ());
    }
    answer
}

/// Registers the forwarder of an event at the runtime, once; returns the runtime's answer.
pub(super) fn register(event: ompt_event_t, of_runtime: ompt_set_callback_t) -> SetResult {
    let answer = &ANSWERS[event.0 as usize];
    if answer.load(Relaxed) == NOT_REGISTERED {
        // SAFETY: the entry point is the runtime's; the callback has the event's signature.
        answer.store(unsafe { of_runtime(event, Some(forwarder(event))) }.0, Relaxed);
    }
    SetResult(answer.load(Relaxed))
}
