//! The callbacks that a tool of the 2015 report has registered.

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use oxomp_protocol::yield_now;
use oxomp_sys::for_each_event_2015;
use oxomp_sys::ompt::ompt_callbacks_t as E;
use oxomp_sys::report_2015::{EventRow, SetResult, ompt_callback_t, ompt_event_t};

use super::super::in_flight::InFlight;
use super::super::life::{is_active, is_initializing};
use crate::ompt::event::{ACTIVE, Mask, OtherCodes as _, bit, set_mask};

/// The greatest number of an event.
const LAST: usize = 70;

/// A callback for each event, indexed by the event's number; 0 and 64 are no events.
type Callbacks = [AtomicPtr<()>; LAST + 1];

/// The callbacks that events call.
static CALLBACKS: Callbacks = [const { AtomicPtr::new(ptr::null_mut()) }; LAST + 1];

/// The callbacks that the tool has registered, which it may ask for at any time: also at its end,
/// when events call none any more.
static REGISTERED: Callbacks = [const { AtomicPtr::new(ptr::null_mut()) }; LAST + 1];

macro_rules! typed_callbacks {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The registered callback of each event, with the type of its function.
        #[allow(dead_code, reason = "the table has all events, the encoder those that happen")]
        pub(super) mod registered {
            $(pub(in super::super) fn $name() -> Option<$callback> {
                let callback = super::registered_at($code);
                // SAFETY: a tool registers for an event a function of the event's type (§7.2).
                callback.map(|callback| unsafe {
                    core::mem::transmute::<*mut (), $callback>(callback)
                })
            })*
        }
    };
}

for_each_event_2015!(typed_callbacks);

/// Calls the callback of an event, if one is registered.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        if let Some(callback) = registered::$name() {
            // SAFETY: the arguments are those that the report specifies for the event (§3, App.
            // A.4): numbers, and pointers to data that outlive the call.
            unsafe { callback($($argument),*) };
        }
    };
}

pub(super) use call;

#[inline]
fn registered_at(code: usize) -> Option<*mut ()> {
    // SeqCst, for the order that `in_flight` describes. It acquires too, so that the thread sees
    // the state that the tool prepared before it registered the callback.
    let callback = CALLBACKS[code].load(SeqCst);
    (!callback.is_null()).then_some(callback)
}

/// Registers `callback` for `event`, or none, and returns the result of `ompt_set_callback`: an
/// error outside of the tool's initializer.
pub(super) fn set(event: ompt_event_t, callback: Option<ompt_callback_t>) -> SetResult {
    let Some(row) = EventRow::of(event) else { return SetResult::ERROR };
    if !is_initializing() {
        return SetResult::ERROR;
    }
    let pointer = callback.map_or(ptr::null_mut(), |callback| callback as *mut ());
    for callbacks in [&REGISTERED, &CALLBACKS] {
        callbacks[row.event.0 as usize].store(pointer, SeqCst);
    }
    if callback.is_none() { SetResult::ALWAYS } else { row.answer }
}

/// The callback that is registered for `event`.
pub(super) fn get(event: ompt_event_t) -> Option<ompt_callback_t> {
    let callback = REGISTERED[EventRow::of(event)?.event.0 as usize].load(SeqCst);
    // SAFETY: `set` and `begin` are the only writers, and store null or a function.
    (!callback.is_null()).then(|| unsafe { transmute::<*mut (), ompt_callback_t>(callback) })
}

/// A session of the tool begins: no callback is registered.
pub(in super::super) fn begin() {
    for callback in REGISTERED.iter().chain(&CALLBACKS) {
        callback.store(ptr::null_mut(), SeqCst);
    }
}

/// Enables the events of the runtime that the registered callbacks need, when the initializer has
/// returned.
pub(in super::super) fn publish() {
    set_mask(if is_active() { mask() } else { 0 });
}

fn mask() -> Mask {
    // Threads and regions get their ids at these events.
    let ids = ACTIVE | bit(E::THREAD_BEGIN) | bit(E::PARALLEL_BEGIN);
    let wanted = EventRow::ALL.iter().map(|row| row.event).filter(|event| get(*event).is_some());
    wanted.fold(ids, |mask, event| mask | sources(event))
}

/// The events of the runtime that the encoder needs for an event of the report.
fn sources(event: ompt_event_t) -> Mask {
    use ompt_event_t as R;
    match event {
        R::PARALLEL_BEGIN => bit(E::PARALLEL_BEGIN),
        R::PARALLEL_END => bit(E::PARALLEL_END),
        R::TASK_BEGIN => bit(E::TASK_CREATE),
        R::TASK_END => bit(E::TASK_END),
        R::THREAD_BEGIN => bit(E::THREAD_BEGIN),
        R::THREAD_END => bit(E::THREAD_END),
        R::IDLE_BEGIN | R::IDLE_END => bit(E::IDLE),
        // A wait ends while the thread executes another task.
        R::WAIT_BARRIER_BEGIN
        | R::WAIT_BARRIER_END
        | R::WAIT_TASKWAIT_BEGIN
        | R::WAIT_TASKWAIT_END
        | R::WAIT_TASKGROUP_BEGIN
        | R::WAIT_TASKGROUP_END => {
            bit(E::SYNC_REGION_WAIT) | bit(E::TASK_SCHEDULE) | bit(E::TASK_SUSPEND)
        }
        R::RELEASE_LOCK
        | R::RELEASE_NEST_LOCK_LAST
        | R::RELEASE_CRITICAL
        | R::RELEASE_ATOMIC
        | R::RELEASE_ORDERED => bit(E::MUTEX_RELEASED),
        R::IMPLICIT_TASK_BEGIN
        | R::IMPLICIT_TASK_END
        | R::INITIAL_TASK_BEGIN
        | R::INITIAL_TASK_END => bit(E::IMPLICIT_TASK),
        R::TASK_SWITCH => bit(E::TASK_SCHEDULE),
        R::LOOP_BEGIN
        | R::LOOP_END
        | R::SECTIONS_BEGIN
        | R::SECTIONS_END
        | R::SINGLE_IN_BLOCK_BEGIN
        | R::SINGLE_IN_BLOCK_END
        | R::SINGLE_OTHERS_BEGIN
        | R::SINGLE_OTHERS_END
        | R::WORKSHARE_BEGIN
        | R::WORKSHARE_END => bit(E::WORK),
        R::MASTER_BEGIN | R::MASTER_END => bit(E::MASKED),
        R::BARRIER_BEGIN
        | R::BARRIER_END
        | R::TASKWAIT_BEGIN
        | R::TASKWAIT_END
        | R::TASKGROUP_BEGIN
        | R::TASKGROUP_END => bit(E::SYNC_REGION),
        R::RELEASE_NEST_LOCK_PREV | R::ACQUIRED_NEST_LOCK_NEXT => bit(E::NEST_LOCK),
        R::WAIT_LOCK | R::WAIT_NEST_LOCK | R::WAIT_CRITICAL | R::WAIT_ATOMIC | R::WAIT_ORDERED => {
            bit(E::MUTEX_WAIT)
        }
        R::ACQUIRED_LOCK
        | R::ACQUIRED_NEST_LOCK_FIRST
        | R::ACQUIRED_CRITICAL
        | R::ACQUIRED_ATOMIC
        | R::ACQUIRED_ORDERED => bit(E::MUTEX_ACQUIRED),
        R::INIT_LOCK | R::INIT_NEST_LOCK => bit(E::LOCK_INIT),
        R::DESTROY_LOCK | R::DESTROY_NEST_LOCK => bit(E::LOCK_DESTROY),
        R::FLUSH => bit(E::FLUSH),
        // The target task gets the id of which the callback of its begin has been told.
        R::TARGET_TASK_BEGIN => bit(E::TARGET_ENCOUNTERED) | bit(E::TASK_CREATE),
        R::TARGET_TASK_END => bit(E::TASK_END),
        R::TARGET_DATA_BEGIN | R::TARGET_DATA_END => bit(E::TARGET_EMI),
        R::TASK_DEPENDENCES => bit(E::DEPENDENCES),
        R::TASK_DEPENDENCE_PAIR => bit(E::TASK_DEPENDENCE),
        // The program's call and the end of the tool are no events of the stream, and no construct
        // maps data: the host has them.
        R::CONTROL | R::RUNTIME_SHUTDOWN | R::TARGET_DATA_MAP_BEGIN | R::TARGET_DATA_MAP_END => 0,
        _ => 0,
    }
}

/// Calls the callback of a call of `ompt_control` or `omp_control_tool`; returns whether there is
/// one.
pub(in super::super) fn control(command: u64, modifier: u64) -> bool {
    let _in_flight = InFlight::enter();
    let callback = registered::control();
    call!(control(command, modifier));
    callback.is_some()
}

/// The tool's callback for the end of the runtime, which `clear` would unregister.
pub(in super::super) fn shutdown_callback() -> Option<ompt_callback_t> {
    registered::runtime_shutdown()
}

/// Disables all events: none calls a callback any more.
pub(in super::super) fn clear() {
    for callback in &CALLBACKS {
        callback.store(ptr::null_mut(), SeqCst);
    }
    set_mask(0);
}

/// Waits until the thread that ends the tool has taken all callbacks from the events.
pub(in super::super) fn wait_until_clear() {
    while CALLBACKS.iter().any(|callback| !callback.load(SeqCst).is_null()) {
        yield_now();
    }
}
