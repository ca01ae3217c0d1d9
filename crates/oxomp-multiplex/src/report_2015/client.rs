//! The callbacks that the clients have registered.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Release},
};

use ompt::raw::report_2015::c::{EventRow, ompt_event_t};

use crate::tools::MAX_TOOLS;

/// Length of a table with a place for every event, by the number in C.
pub(super) const EVENTS: usize = EventRow::ALL[EventRow::ALL.len() - 1].event.0 as usize + 1;

/// The registered callbacks, by event and client. Acquire pairs with Release, so that a thread that
/// calls a callback sees the state that the client prepared before it registered it.
static CALLBACKS: [[AtomicPtr<()>; MAX_TOOLS]; EVENTS] =
    [const { [const { AtomicPtr::new(null_mut()) }; MAX_TOOLS] }; EVENTS];

/// The clients of the present session.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Begins a session with `count` clients, which have no callbacks yet.
pub(super) fn seat(count: usize) {
    clear();
    COUNT.store(count, Release);
}

/// Forgets all callbacks.
pub(super) fn clear() {
    for callback in CALLBACKS.iter().flatten() {
        callback.store(null_mut(), Release);
    }
}

/// Keeps a client's callback for an event; null if the client has no callback for it.
pub(super) fn set(client: usize, event: ompt_event_t, callback: *mut ()) {
    CALLBACKS[event.0 as usize][client].store(callback, Release);
}

/// The callback that a client has registered; `None` if no event has this number.
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
