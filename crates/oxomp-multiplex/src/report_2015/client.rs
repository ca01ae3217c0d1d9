//! The clients: their phases, and the callbacks that they have registered.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use ompt::raw::report_2015::c::{
    EventRow, SetResult, ompt_callback_t, ompt_event_t, ompt_set_callback_t,
};

use super::forward::forwarder;
use crate::tools::MAX_TOOLS;

/// Length of a table with a place for every event, by the number in C.
const EVENTS: usize = EventRow::ALL[EventRow::ALL.len() - 1].event.0 as usize + 1;

/// The registered callbacks, by event and client. Acquire pairs with Release, so that a thread that
/// calls a callback sees the state that the client prepared before it registered it.
static CALLBACKS: [[AtomicPtr<()>; MAX_TOOLS]; EVENTS] =
    [const { [const { AtomicPtr::new(null_mut()) }; MAX_TOOLS] }; EVENTS];

/// The runtime's answer to the registration of the multiplexer, by event; `NOT_REGISTERED` before.
///
/// Relaxed: threads of a client that register one event at once may each ask the runtime, which
/// gets the same function from both and gives both the same answer.
static ANSWERS: [AtomicI32; EVENTS] = [const { AtomicI32::new(NOT_REGISTERED) }; EVENTS];

const NOT_REGISTERED: i32 = -1;

/// Whether the initializer of a client runs, by client: the time to register callbacks.
static IS_INITIALIZING: [AtomicBool; MAX_TOOLS] = [const { AtomicBool::new(false) }; MAX_TOOLS];

/// The clients of the present session.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Begins a session with so many clients, none of which has a callback.
pub(super) fn seat(count: usize) {
    clear();
    for answer in &ANSWERS {
        answer.store(NOT_REGISTERED, Relaxed);
    }
    COUNT.store(count, Release);
}

/// Forgets all callbacks.
pub(super) fn clear() {
    for callback in CALLBACKS.iter().flatten() {
        callback.store(null_mut(), Release);
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
    let at = event.0 as usize;
    let Some(callback) = callback else {
        // The forwarder stays, and finds no callback.
        CALLBACKS[at][client].store(null_mut(), Release);
        return SetResult::ALWAYS;
    };
    let answer = register(event, of_runtime);
    if answer != SetResult::ERROR {
        CALLBACKS[at][client].store(callback as *mut (), Release);
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

/// The callback that a client has registered; none for a number that is no event's.
pub(super) fn get(client: usize, event: ompt_event_t) -> Option<*mut ()> {
    EventRow::of(event)?;
    let callback = CALLBACKS[event.0 as usize][client].load(Acquire);
    (!callback.is_null()).then_some(callback)
}

/// Shows `act` the callback of each client that has one for the event, in the order of the list, or
/// in the reverse.
#[inline]
pub(super) fn each(event: usize, is_reverse: bool, mut act: impl FnMut(*mut ())) {
    let count = COUNT.load(Acquire);
    for at in 0..count {
        let client = if is_reverse { count - 1 - at } else { at };
        let callback = CALLBACKS[event][client].load(Acquire);
        if !callback.is_null() {
            act(callback);
        }
    }
}
