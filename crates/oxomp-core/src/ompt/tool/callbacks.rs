//! The callbacks that the tool has registered, and how far each event is delivered.

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use oxomp_sys::for_each_event;
use oxomp_sys::ompt::{ompt_callback_t, ompt_callbacks_t, ompt_set_result_t};

use crate::ompt::event::{ACTIVE, Mask, bit, set_mask};

/// How far an event is delivered: what `ompt_set_callback` answers, and the conformance matrix shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Whenever it happens.
    Always,
    /// Not where a compiler expands the construct without a call of the runtime, as gcc does with
    /// static loops, masked and reductions; a begin has its end.
    SometimesPaired,
    /// As before, of an event that has no ends: gcc's flush, and chunks of its static loops.
    Sometimes,
    /// Never, since the runtime does not have the construct. The specification wants "always" as the
    /// answer (5.1 §4.2.4), which is no lie: nothing happens that is not reported.
    NoSuchConstruct,
    /// Never, since the runtime does not have the construct.
    Never,
}

impl Delivery {
    /// The answer of `ompt_set_callback`.
    pub const fn answer(self) -> ompt_set_result_t {
        match self {
            Delivery::Always | Delivery::NoSuchConstruct => ompt_set_result_t::ALWAYS,
            Delivery::SometimesPaired => ompt_set_result_t::SOMETIMES_PAIRED,
            Delivery::Sometimes => ompt_set_result_t::SOMETIMES,
            Delivery::Never => ompt_set_result_t::NEVER,
        }
    }

    /// Whether the event is delivered at all.
    pub const fn is_delivered(self) -> bool {
        matches!(self, Delivery::Always | Delivery::SometimesPaired | Delivery::Sometimes)
    }
}

/// How far `event` is delivered; none for a number that is no event's.
pub const fn delivery(event: ompt_callbacks_t) -> Option<Delivery> {
    use Delivery::{Always, Never, NoSuchConstruct, Sometimes, SometimesPaired};
    use ompt_callbacks_t as E;
    Some(match event {
        E::THREAD_BEGIN | E::THREAD_END | E::PARALLEL_BEGIN | E::PARALLEL_END => Always,
        E::IMPLICIT_TASK | E::CONTROL_TOOL | E::SYNC_REGION | E::SYNC_REGION_WAIT => Always,
        E::LOCK_INIT | E::LOCK_DESTROY | E::NEST_LOCK | E::ERROR => Always,
        E::MUTEX_ACQUIRE | E::MUTEX_ACQUIRED | E::MUTEX_RELEASED => Always,
        E::WORK | E::MASKED | E::REDUCTION => SometimesPaired,
        E::DISPATCH | E::FLUSH => Sometimes,
        E::TASK_CREATE | E::TASK_SCHEDULE => NoSuchConstruct,
        E::DEVICE_INITIALIZE | E::DEVICE_FINALIZE | E::DEVICE_LOAD | E::DEVICE_UNLOAD => {
            NoSuchConstruct
        }
        E::TARGET | E::TARGET_DATA_OP | E::TARGET_SUBMIT => NoSuchConstruct,
        E::TARGET_EMI | E::TARGET_DATA_OP_EMI | E::TARGET_SUBMIT_EMI => NoSuchConstruct,
        // Tools give up where these are refused, and there is nothing that they could miss.
        E::CANCEL | E::DEPENDENCES | E::TASK_DEPENDENCE => NoSuchConstruct,
        E::TARGET_MAP | E::TARGET_MAP_EMI => Never,
        _ => return None,
    })
}

const EVENTS: usize = ompt_callbacks_t::NAMES.len();

/// Indexed by the number of the event; 0 is no event.
static CALLBACKS: [AtomicPtr<()>; EVENTS + 1] =
    [const { AtomicPtr::new(ptr::null_mut()) }; EVENTS + 1];

macro_rules! typed_callbacks {
    ($(($code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty);)*) => {
        /// The registered callback of each event, as the function that it is.
        #[allow(dead_code, reason = "the table has all events, the encoder those that happen")]
        pub(super) mod registered {
            $(pub(in super::super) fn $name() -> Option<$callback> {
                let callback = super::registered_at($code);
                // SAFETY: whoever registers a callback for an event gives a function of its type
                // (OpenMP 5.0 §4.6.1.3).
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
    // What the tool prepared before it registered the callback is seen; SeqCst: see `in_flight`.
    let callback = CALLBACKS[code].load(SeqCst);
    (!callback.is_null()).then_some(callback)
}

fn slot(event: ompt_callbacks_t) -> Option<&'static AtomicPtr<()>> {
    delivery(event)?;
    CALLBACKS.get(usize::try_from(event.0).ok()?)
}

/// Registers `callback` for `event`, or none: what `ompt_set_callback` answers.
pub(super) fn set(event: ompt_callbacks_t, callback: Option<ompt_callback_t>) -> ompt_set_result_t {
    let (Some(slot), Some(delivery)) = (slot(event), delivery(event)) else {
        return ompt_set_result_t::ERROR;
    };
    let pointer = callback.map_or(ptr::null_mut(), |callback| callback as *mut ());
    slot.store(pointer, SeqCst);
    publish();
    if callback.is_none() { ompt_set_result_t::ALWAYS } else { delivery.answer() }
}

/// The callback that is registered for `event`.
pub(super) fn get(event: ompt_callbacks_t) -> Option<ompt_callback_t> {
    let callback = slot(event)?.load(SeqCst);
    // SAFETY: only `set` writes here, and it stores functions.
    (!callback.is_null()).then(|| unsafe { transmute::<*mut (), ompt_callback_t>(callback) })
}

/// Lets the registered events through, and those that come to be registered.
///
/// Two threads may register at once: whoever wrote the mask last sees, when it looks again, all
/// that was registered before, so no event is lost.
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
    if !super::is_active() {
        return 0;
    }
    let wanted = ompt_callbacks_t::NAMES
        .iter()
        .map(|(event, _)| *event)
        .filter(|event| get(*event).is_some());
    wanted.fold(ACTIVE, |mask, event| mask | bit(event))
}

/// Unregisters everything and lets no event through.
pub(super) fn clear() {
    set_mask(0);
    for callback in &CALLBACKS {
        callback.store(ptr::null_mut(), SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::{Delivery, delivery};
    use oxomp_sys::ompt::{ompt_callbacks_t, ompt_set_result_t};

    #[test]
    fn every_event_of_the_table_has_an_answer() {
        for (event, name) in ompt_callbacks_t::NAMES {
            assert!(delivery(*event).is_some(), "{name:?}");
        }
        for code in [i32::MIN, -1, 0, 38, 63, 64, i32::MAX] {
            assert_eq!(delivery(ompt_callbacks_t(code)), None);
        }
    }

    #[test]
    fn what_the_specification_demands_is_answered_with_always() {
        use ompt_callbacks_t as E;
        for event in [
            E::THREAD_BEGIN,
            E::THREAD_END,
            E::PARALLEL_BEGIN,
            E::PARALLEL_END,
            E::TASK_CREATE,
            E::TASK_SCHEDULE,
            E::IMPLICIT_TASK,
            E::TARGET,
            E::TARGET_EMI,
            E::TARGET_DATA_OP,
            E::TARGET_DATA_OP_EMI,
            E::TARGET_SUBMIT,
            E::TARGET_SUBMIT_EMI,
            E::CONTROL_TOOL,
            E::DEVICE_INITIALIZE,
            E::DEVICE_FINALIZE,
            E::DEVICE_LOAD,
            E::DEVICE_UNLOAD,
            E::ERROR,
        ] {
            let answer = delivery(event).map(Delivery::answer);
            assert_eq!(answer, Some(ompt_set_result_t::ALWAYS), "{:?}", event.name());
        }
    }
}
