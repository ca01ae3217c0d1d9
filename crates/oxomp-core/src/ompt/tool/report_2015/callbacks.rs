//! The callbacks that a tool of the 2015 report has registered.

use oxomp_sys::for_each_event_2015;
use oxomp_sys::ompt::ompt_callbacks_t as E;
use oxomp_sys::report_2015::{EventRow, SetResult, ompt_callback_t, ompt_event_t};

use super::super::offload::answer_2015;
use super::super::phase::{is_active, is_initializing};
use super::super::running_callbacks::RunningCallback;
use super::super::slots::{Slots, typed_callbacks};
use crate::ompt::event::{ACTIVE, Mask, OtherCodes as _, bit, emit, set_mask};

/// The greatest number of an event. No event has the number 0 or 64.
const LAST: usize = EventRow::ALL[EventRow::ALL.len() - 1].event.0 as usize;

/// The callbacks that events call.
static CALLBACKS: Slots<{ LAST + 1 }> = Slots::new();

/// The callbacks that the tool has registered, which it may ask for at any time: also at its end,
/// when events no longer call them.
static REGISTERED: Slots<{ LAST + 1 }> = Slots::new();

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

/// Registers `callback` for `event`; `None` unregisters. Returns the result of `ompt_set_callback`:
/// an error outside of the tool's initializer.
pub(super) fn set(event: ompt_event_t, callback: Option<ompt_callback_t>) -> SetResult {
    let Some(row) = EventRow::of(event) else { return SetResult::ERROR };
    if !is_initializing() {
        return SetResult::ERROR;
    }
    for table in [&REGISTERED, &CALLBACKS] {
        table.set(row.event.0 as usize, callback);
    }
    if callback.is_none() {
        return SetResult::ALWAYS;
    }
    answer_2015(event).unwrap_or(row.answer)
}

/// The callback that is registered for `event`.
pub(super) fn get(event: ompt_event_t) -> Option<ompt_callback_t> {
    REGISTERED.get(EventRow::of(event)?.event.0 as usize)
}

/// A session of the tool begins: no callback is registered.
pub(in super::super) fn begin() {
    REGISTERED.clear();
    CALLBACKS.clear();
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

/// Checks the table of events: the table says that an event never happens if and only if no event
/// of the runtime leads to its callback, and neither `control` nor `shutdown_callback` does.
const _: () = {
    let mut at = 0;
    while at < EventRow::ALL.len() {
        let row = &EventRow::ALL[at];
        let sources = sources(row.event);
        let is_called = matches!(row.event, ompt_event_t::CONTROL | ompt_event_t::RUNTIME_SHUTDOWN);
        assert!(matches!(row.answer, SetResult::NEVER) == (sources == 0 && !is_called));
        assert!(sources & !emit::EMITTED == 0, "a construct emits each of them");
        at += 1;
    }
};

/// The events of the runtime that the encoder needs for an event of the report.
const fn sources(event: ompt_event_t) -> Mask {
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
        | R::SINGLE_OTHERS_END => bit(E::WORK),
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
        // The target task gets the id that the callback of its begin has been told.
        R::TARGET_TASK_BEGIN => bit(E::TARGET_ENCOUNTERED) | bit(E::TASK_CREATE),
        R::TARGET_TASK_END => bit(E::TASK_END),
        R::TARGET_DATA_BEGIN | R::TARGET_DATA_END => bit(E::TARGET_EMI),
        R::TASK_DEPENDENCES => bit(E::DEPENDENCES),
        R::TASK_DEPENDENCE_PAIR => bit(E::TASK_DEPENDENCE),
        // The program's call and the end of the tool are not events of the stream.
        R::CONTROL | R::RUNTIME_SHUTDOWN => 0,
        // No compiler tells the runtime of a workshare construct, and no construct maps data, which
        // the host has. No event has another number.
        _ => 0,
    }
}

/// Calls the callback of a call of `ompt_control` or `omp_control_tool`; returns whether there is
/// one.
pub(in super::super) fn control(command: u64, modifier: u64) -> bool {
    let _running = RunningCallback::enter();
    let callback = registered::control();
    call!(control(command, modifier));
    callback.is_some()
}

/// The tool's callback for the end of the runtime, which `clear` would unregister.
pub(in super::super) fn shutdown_callback() -> Option<ompt_callback_t> {
    registered::runtime_shutdown()
}

/// Disables all events: from then on no event calls a callback.
pub(in super::super) fn clear() {
    CALLBACKS.clear();
    set_mask(0);
}

/// Waits until the thread that ends the tool has taken all callbacks from the events.
pub(in super::super) fn wait_until_clear() {
    CALLBACKS.wait_until_clear();
}
