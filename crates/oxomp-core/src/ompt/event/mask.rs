//! The set of events with a listener: one word, which every construct tests.

use core::hint::cold_path;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use oxomp_sys::ompt::{EventRow, ompt_callbacks_t as E};

/// The set of events that the tool's listener wants, bit n for the event with the code n, and
/// `ACTIVE`.
///
/// Until the runtime has started the set is `ACTIVE` and `UNSTARTED`: a construct that begins
/// before that has to use the listened instance, since it may start the runtime, and with it a
/// tool.
static MASK: AtomicU64 = AtomicU64::new(ACTIVE | UNSTARTED);

/// The word, to which a request to attach a tool adds events from outside of the process.
pub(crate) fn mask_word() -> &'static AtomicU64 {
    &MASK
}

/// A set of events.
pub(crate) type Mask = u64;

/// A tool is attached, or a debugger is expected: the runtime keeps records and frames even for
/// events without a callback, since a tool may ask for them (`ompt_get_task_info`). No event has
/// the code 0.
pub(crate) const ACTIVE: Mask = 1;

/// A debugger is expected (OMP_DEBUG=enabled): the runtime keeps the state that it reads, and calls
/// the functions at which it stops. Set together with `ACTIVE`; no callback has so high a code.
///
/// The events that a debugger needs are bits of the same set, so that fast paths need no second
/// test.
pub(super) const DEBUG: Mask = 1 << 63;

/// The runtime has not started, so there may be a listener to any event.
const UNSTARTED: Mask = 1 << 62;

/// An attached tool hears the ends of what was under way when it was attached: a region, a barrier
/// or a taskwait that has begun silently looks at its end whether it is so. Never set for a tool
/// that was there from the start, which hears no end without a begin.
pub(crate) const UNDER_WAY: Mask = 1 << 61;

/// The bit of an event, by its code.
pub(crate) const fn bit(event: E) -> Mask {
    1 << event.0
}

/// The codes of the events for which OpenMP 5 has no callback, and which the encoder of the 2015
/// report needs. They lie above the codes of OpenMP's callbacks, and below the runtime's own bits.
pub(crate) trait OtherCodes {
    /// A task is complete.
    const TASK_END: E = E(48);
    /// A thread begins to wait for a mutex.
    const MUTEX_WAIT: E = E(49);
    /// A worker begins or ends to wait for work outside of regions.
    const IDLE: E = E(50);
    /// A thread is about to leave a task for another one.
    const TASK_SUSPEND: E = E(51);
    /// A task has encountered a target construct that generates a target task.
    const TARGET_ENCOUNTERED: E = E(52);
}

impl OtherCodes for E {}

/// The events for which OpenMP 5 has no callback.
pub(crate) const OTHERS: Mask = bit(E::TASK_END)
    | bit(E::MUTEX_WAIT)
    | bit(E::IDLE)
    | bit(E::TASK_SUSPEND)
    | bit(E::TARGET_ENCOUNTERED);

const _: () = assert!(EventRow::ALL.len() < 48, "the bits above the callbacks' are taken");

/// The tool's part of the set.
static TOOL: AtomicU64 = AtomicU64::new(0);

/// A tool has ended: records of tasks may hold what was kept for it.
static HAS_ENDED_A_TOOL: AtomicBool = AtomicBool::new(false);

/// Whether a tool has ended in this process.
#[inline(always)]
pub(super) fn has_ended_a_tool() -> bool {
    // Relaxed: a thread that hears of another tool has synchronized with the first one's end.
    HAS_ENDED_A_TOOL.load(Relaxed)
}

/// Replaces the tool's set. Threads use the new set from their next event on.
pub(crate) fn set_mask(mask: Mask) {
    if TOOL.swap(mask, Relaxed) & !mask & ACTIVE != 0 {
        HAS_ENDED_A_TOOL.store(true, Relaxed);
    }
    MASK.store(mask | OWN.load(Relaxed), Relaxed);
}

/// The events to which the runtime itself listens, independent of a tool; 0 for none.
static OWN: AtomicU64 = AtomicU64::new(0);

/// Adds `events` to those to which the runtime itself listens.
pub(super) fn add_own(events: Mask) {
    OWN.fetch_or(events | ACTIVE, Relaxed);
    MASK.fetch_or(events | ACTIVE, Relaxed);
}

/// Whether the runtime itself listens to any event.
pub(super) fn has_own() -> bool {
    OWN.load(Relaxed) != 0
}

/// The events that a debugger needs: those with a function in `debugged`, and the ends of regions.
pub(super) const FOR_DEBUGGER: Mask = bit(E::THREAD_BEGIN)
    | bit(E::THREAD_END)
    | bit(E::IMPLICIT_TASK)
    | bit(E::PARALLEL_END)
    | bit(E::WORK)
    | bit(E::DISPATCH);

/// Whether a debugger is expected.
#[inline(always)]
pub(crate) fn is_debugged() -> bool {
    wants(DEBUG)
}

/// Whether the tool has registered any of `events`, whatever the runtime itself listens to.
pub(super) fn tool_wants(events: Mask) -> bool {
    TOOL.load(Relaxed) & events != 0
}

/// Whether any of `events` is registered.
#[inline(always)]
pub(crate) fn is_registered(events: Mask) -> bool {
    // Relaxed: a tool registers its callbacks before any event (in its initializer); threads need
    // not see a later change at once.
    MASK.load(Relaxed) & events != 0
}

/// Whether any of `events` is registered, which is the unlikely case.
#[inline(always)]
pub(crate) fn wants(events: Mask) -> bool {
    let wanted = is_registered(events);
    if wanted {
        cold_path();
    }
    wanted
}

/// Whether records and frames are kept.
#[inline(always)]
pub(crate) fn is_active() -> bool {
    wants(ACTIVE)
}

/// Whether a construct that has begun silently reports its end.
#[inline(always)]
pub(crate) fn hears_under_way() -> bool {
    wants(UNDER_WAY)
}

/// Whether any event may have a listener.
#[inline(always)]
pub(crate) fn has_events() -> bool {
    wants(!ACTIVE)
}
