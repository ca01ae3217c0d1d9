//! The callbacks that the tool has registered.

use oxomp_sys::for_each_event;
use oxomp_sys::ompt::{EventRow, ompt_callback_t, ompt_callbacks_t, ompt_set_result_t};

use super::offload::answer;
use super::phase::accepts_callbacks;
use super::slots::{Slots, typed_callbacks};
use super::under_way;
use crate::ompt::event::{ACTIVE, Mask, OTHERS, bit, emit, set_mask};

/// Checks the table of events: the table says that the event of a callback is raised if and only if
/// a construct emits the event, or `omp_control_tool` calls the callback.
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

/// The registered callbacks, by the numbers of their events, which begin at 1.
static CALLBACKS: Slots<{ EVENTS + 1 }> = Slots::new();

for_each_event!(typed_callbacks);

/// Registers `callback` for `event`; `None` unregisters. Returns the result of `ompt_set_callback`.
pub(super) fn set(event: ompt_callbacks_t, callback: Option<ompt_callback_t>) -> ompt_set_result_t {
    let Some(row) = EventRow::of(event) else { return ompt_set_result_t::ERROR };
    let code = row.event.0 as usize;
    CALLBACKS.set(code, callback);
    if !accepts_callbacks() {
        // Another thread has begun to end the tool, and may have cleared the slot before.
        CALLBACKS.set(code, None);
        return ompt_set_result_t::ERROR;
    }
    publish();
    if callback.is_none() {
        return ompt_set_result_t::ALWAYS;
    }
    answer(event).unwrap_or_else(|| row.answer())
}

/// The callback that is registered for `event`.
pub(super) fn get(event: ompt_callbacks_t) -> Option<ompt_callback_t> {
    CALLBACKS.get(EventRow::of(event)?.event.0 as usize)
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
    if !super::phase::is_active() {
        return 0;
    }
    let wanted = EventRow::ALL.iter().map(|row| row.event).filter(|event| get(*event).is_some());
    wanted.fold(ACTIVE | under_way::mask(), |mask, event| mask | bit(event))
}

/// Unregisters all callbacks and disables all events.
pub(super) fn clear() {
    CALLBACKS.clear();
    set_mask(0);
}

/// Waits until the thread that ends the tool has unregistered all callbacks.
pub(super) fn wait_until_clear() {
    CALLBACKS.wait_until_clear();
}
