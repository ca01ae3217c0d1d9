//! `ompt_set_callback` and `ompt_get_callback` of each tool, and what is registered at the runtime:
//! the events that a tool wants, and those that begin and end objects with data words.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Release},
};

use ompt::raw::c::{EventRow, ompt_callback_t, ompt_callbacks_t, ompt_set_result_t};

use crate::answers::raises_emi;
use crate::forward::forwarder;
use crate::tools::{self, Phase};
use crate::{answers, runtime};

/// The events that begin and end objects with data words: always registered.
const LIFE: [ompt_callbacks_t; 8] = [
    ompt_callbacks_t::THREAD_BEGIN,
    ompt_callbacks_t::THREAD_END,
    ompt_callbacks_t::PARALLEL_BEGIN,
    ompt_callbacks_t::PARALLEL_END,
    ompt_callbacks_t::TASK_CREATE,
    ompt_callbacks_t::TASK_SCHEDULE,
    ompt_callbacks_t::IMPLICIT_TASK,
    ompt_callbacks_t::CANCEL,
];

/// The events with the word of a target region, each with its form before OpenMP 5.1. The event of
/// the region itself begins and ends the word. Tools that want the earlier form while another tool
/// wants an event of the later one get it from the later one (`forward::plain`).
const OF_TARGET_REGIONS: [(ompt_callbacks_t, ompt_callbacks_t); 4] = [
    (ompt_callbacks_t::TARGET_EMI, ompt_callbacks_t::TARGET),
    (ompt_callbacks_t::TARGET_DATA_OP_EMI, ompt_callbacks_t::TARGET_DATA_OP),
    (ompt_callbacks_t::TARGET_SUBMIT_EMI, ompt_callbacks_t::TARGET_SUBMIT),
    (ompt_callbacks_t::TARGET_MAP_EMI, ompt_callbacks_t::TARGET_MAP),
];

/// A lock: held by the thread that registers at the runtime. Code in events or signal handlers does
/// not take it.
static IS_REGISTERING: AtomicBool = AtomicBool::new(false);

struct Registering;

impl Registering {
    fn begin() -> Self {
        while IS_REGISTERING.swap(true, Acquire) {
            std::thread::yield_now();
        }
        Self
    }
}

impl Drop for Registering {
    fn drop(&mut self) {
        IS_REGISTERING.store(false, Release);
    }
}

/// In the child of a fork, the thread that was registering is gone: frees the lock.
pub(crate) fn forget_others() {
    IS_REGISTERING.store(false, Release);
}

/// Registers the events that begin and end objects, at the start of a runtime's tool.
pub(crate) fn start() {
    let _registering = Registering::begin();
    answers::forget();
    for event in LIFE {
        adjust(event.0 as usize);
    }
}

/// `ompt_set_callback` of a tool.
pub(crate) fn set(
    tool: usize,
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t {
    let Some(at) = tools::position(event) else { return ompt_set_result_t::ERROR };
    let _registering = Registering::begin();
    if !matches!(tools::phase(tool), Phase::Initializing | Phase::Active) {
        return ompt_set_result_t::ERROR;
    }
    tools::set_callback(at, tool, callback.map_or(null_mut(), |callback| callback as *mut ()));
    let is_of_target_region =
        OF_TARGET_REGIONS.iter().any(|&(emi, plain)| event == emi || event == plain);
    let answer = if is_of_target_region { adjust_target_regions(event) } else { adjust(at) };
    if callback.is_none() {
        return ompt_set_result_t::ALWAYS;
    }
    if answer == ompt_set_result_t::ERROR {
        tools::set_callback(at, tool, null_mut());
    }
    answer
}

/// `ompt_get_callback` of a tool.
pub(crate) fn get(tool: usize, event: ompt_callbacks_t) -> Option<*mut ()> {
    let at = tools::position(event).filter(|_| tools::answers(tool))?;
    Some(tools::callback(at, tool)).filter(|callback| !callback.is_null())
}

/// Forgets all callbacks of a tool, whose phase allows no registration any more. The runtime still
/// calls the multiplexer.
pub(crate) fn forget_all(tool: usize) {
    // Waits for a registration that began in an earlier phase.
    let _registering = Registering::begin();
    tools::clear_callbacks(tool);
}

/// Unregisters all callbacks of a tool.
pub(crate) fn unregister_all(tool: usize) {
    let _registering = Registering::begin();
    tools::clear_callbacks(tool);
    for row in EventRow::ALL {
        adjust(row.event.0 as usize);
    }
    adjust_target_regions(ompt_callbacks_t::TARGET);
}

/// Registers the events of target regions that are needed, and returns the answer for `event`,
/// which is one of them: the answer for the form in which the runtime raises it.
fn adjust_target_regions(event: ompt_callbacks_t) -> ompt_set_result_t {
    // The later form first: whether the runtime raises it decides whether the earlier one is
    // registered.
    let later = OF_TARGET_REGIONS.map(|(emi, _)| adjust(emi.0 as usize));
    let earlier = OF_TARGET_REGIONS.map(|(_, plain)| adjust(plain.0 as usize));
    let pairs = OF_TARGET_REGIONS.iter().zip(later.into_iter().zip(earlier));
    for (&(emi, plain), (of_emi, of_plain)) in pairs {
        if event == emi || event == plain && raises_emi() {
            return of_emi;
        }
        if event == plain {
            return of_plain;
        }
    }
    ompt_set_result_t::ERROR
}

/// Registers an event at the runtime if it is needed, unregisters it if it is not needed and
/// unregistering is safe while the event happens, and returns the runtime's answer to the
/// registration. The caller holds the lock for registering.
fn adjust(at: usize) -> ompt_set_result_t {
    let Some(runtime) = runtime::current() else { return ompt_set_result_t::ERROR };
    let event = EventRow::ALL[at - 1].event;
    match (is_needed(event), answers::get(at)) {
        (true, None) => {
            // SAFETY: the entry point is the runtime's; the callback has the event's signature.
            let answer = unsafe { (runtime.set_callback)(event, Some(forwarder(event))) };
            if answer != ompt_set_result_t::ERROR {
                answers::set(at, Some(answer));
            }
            answer
        }
        // The forwarder stays registered, and finds no callback to call.
        (false, Some(_)) if !runtime.takes_null => ompt_set_result_t::ALWAYS,
        (false, Some(_)) => {
            // SAFETY: as above; a null callback fits any signature.
            unsafe { (runtime.set_callback)(event, None) };
            answers::set(at, None);
            ompt_set_result_t::ALWAYS
        }
        (true, Some(answer)) => answer,
        (false, None) => ompt_set_result_t::ALWAYS,
    }
}

fn is_needed(event: ompt_callbacks_t) -> bool {
    let wanted = |event: ompt_callbacks_t| tools::is_wanted(event.0 as usize);
    let any_emi = || OF_TARGET_REGIONS.iter().any(|&(emi, _)| wanted(emi));
    if LIFE.contains(&event) {
        return true;
    }
    for (emi, plain) in OF_TARGET_REGIONS {
        if event == plain {
            return wanted(plain) && !raises_emi();
        }
        if event == emi {
            let begins_words = emi == ompt_callbacks_t::TARGET_EMI;
            return wanted(emi) || any_emi() && (begins_words || wanted(plain));
        }
    }
    wanted(event)
}
