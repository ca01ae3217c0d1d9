//! The callbacks that the tool has registered.

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use oxomp_protocol::yield_now;
use oxomp_sys::for_each_event;
use oxomp_sys::ompt::{EventRow, ompt_callback_t, ompt_callbacks_t, ompt_set_result_t};

use super::life::accepts_callbacks;
use crate::ompt::event::{ACTIVE, Mask, OTHERS, bit, emit, set_mask};

/// Checks the table of events: it says of a callback's event that it is raised if and only if a
/// construct emits it, or `omp_control_tool` calls its callback.
const _: () = {
    let mut at = 0;
    let mut raised = bit(ompt_callbacks_t::CONTROL_TOOL);
    while at < EventRow::ALL.len() {
        if EventRow::ALL[at].is_raised() {
            raised |= bit(EventRow::ALL[at].event);
        }
        at += 1;
    }
    let emitted = emit::EMITTED & !OTHERS;
    assert!(raised == emitted | bit(ompt_callbacks_t::CONTROL_TOOL));
};

const EVENTS: usize = EventRow::ALL.len();

/// The registered callbacks, indexed by the number of the event; 0 is no event.
static CALLBACKS: [AtomicPtr<()>; EVENTS + 1] =
    [const { AtomicPtr::new(ptr::null_mut()) }; EVENTS + 1];

macro_rules! typed_callbacks {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The registered callback of each event, with the type of its function.
        #[allow(dead_code, reason = "the table has all events, the encoder those that happen")]
        pub(super) mod registered {
            $(pub(in super::super) fn $name() -> Option<$callback> {
                let callback = super::registered_at($code);
                // SAFETY: a tool registers for an event a function of the event's type (OpenMP 5.0
                // §4.6.1.3).
                callback.map(|callback| unsafe {
                    core::mem::transmute::<*mut (), $callback>(callback)
                })
            })*
        }
    };
}

for_each_event!(typed_callbacks);

#[inline]
fn registered_at(code: usize) -> Option<*mut ()> {
    // SeqCst, for the order that `in_flight` describes. It acquires too, so that the thread sees
    // the state that the tool prepared before it registered the callback.
    let callback = CALLBACKS[code].load(SeqCst);
    (!callback.is_null()).then_some(callback)
}

fn slot(row: &EventRow) -> &'static AtomicPtr<()> {
    &CALLBACKS[row.event.0 as usize]
}

/// Registers `callback` for `event`, or none, and returns the result of `ompt_set_callback`.
pub(super) fn set(event: ompt_callbacks_t, callback: Option<ompt_callback_t>) -> ompt_set_result_t {
    let Some(row) = EventRow::of(event) else { return ompt_set_result_t::ERROR };
    let pointer = callback.map_or(ptr::null_mut(), |callback| callback as *mut ());
    slot(row).store(pointer, SeqCst);
    if !accepts_callbacks() {
        // Another thread has begun to end the tool, and may have cleared the slot before.
        slot(row).store(ptr::null_mut(), SeqCst);
        return ompt_set_result_t::ERROR;
    }
    publish();
    if callback.is_none() { ompt_set_result_t::ALWAYS } else { row.answer() }
}

/// The callback that is registered for `event`.
pub(super) fn get(event: ompt_callbacks_t) -> Option<ompt_callback_t> {
    let callback = slot(EventRow::of(event)?).load(SeqCst);
    // SAFETY: `set` and `clear` are the only writers, and store null or a function.
    (!callback.is_null()).then(|| unsafe { transmute::<*mut (), ompt_callback_t>(callback) })
}

/// Enables the registered events, and those that the tool registers later.
///
/// Two threads may register at once: the thread that writes the mask last reads the callbacks again
/// afterwards and sees all that were registered before, so no event is lost.
pub(super) fn publish() {
    loop {
        let wanted = mask();
        set_mask(wanted);
        if mask() == wanted {
            return;
        }
    }
}

fn mask() -> Mask {
    if !super::life::is_active() {
        return 0;
    }
    let wanted = EventRow::ALL.iter().map(|row| row.event).filter(|event| get(*event).is_some());
    wanted.fold(ACTIVE, |mask, event| mask | bit(event))
}

/// Unregisters all callbacks and disables all events.
pub(super) fn clear() {
    for callback in &CALLBACKS {
        callback.store(ptr::null_mut(), SeqCst);
    }
    set_mask(0);
}

/// Waits until the thread that ends the tool has unregistered all callbacks.
pub(super) fn wait_until_clear() {
    while CALLBACKS.iter().any(|callback| !callback.load(SeqCst).is_null()) {
        yield_now();
    }
}
