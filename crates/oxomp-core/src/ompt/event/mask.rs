//! Which events somebody listens to: one word that every construct tests.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oxomp_sys::ompt::{EventRow, ompt_callbacks_t as E};

/// The set of events that a tool registered, bit n for callback code n, and `ACTIVE`.
///
/// Until the runtime has started it is `ACTIVE` alone: a construct that begins before that has to
/// begin listened, since it may be the one that starts the runtime and with it a tool.
static MASK: AtomicU64 = AtomicU64::new(ACTIVE);

/// A set of events.
pub type Mask = u64;

/// A tool is attached, or a debugger is expected: records and frames are kept even for events that
/// nobody registered, since who looks may ask for them (`ompt_get_task_info`). Code 0 is no event.
pub const ACTIVE: Mask = 1;

/// A debugger is expected (OMP_DEBUG=enabled): what it reads is kept, and the functions at which it
/// stops are called. Comes with `ACTIVE`; no callback has so high a code.
const DEBUG: Mask = 1 << 63;

/// The bit of an event, by its callback code (1 to 62).
pub const fn bit(event: E) -> Mask {
    1 << event.0
}

const _: () = assert!(EventRow::ALL.len() < 63, "the bit above the events' is taken");

/// Replaces the tool's set. Threads see it at their next event.
pub fn set_mask(mask: Mask) {
    MASK.store(mask | OWN.load(Relaxed), Relaxed);
}

/// What is listened to whatever the tool does; 0 if nothing.
static OWN: AtomicU64 = AtomicU64::new(0);

fn add_own(events: Mask) {
    OWN.fetch_or(events | ACTIVE, Relaxed);
    MASK.fetch_or(events | ACTIVE, Relaxed);
}

/// The runtime itself listens to `events`.
pub(super) fn check(events: Mask) {
    add_own(events);
}

/// The events that a debugger needs: those with a function in `debugged`, and the ends of regions.
pub(super) const FOR_DEBUGGER: Mask = bit(E::THREAD_BEGIN)
    | bit(E::THREAD_END)
    | bit(E::IMPLICIT_TASK)
    | bit(E::PARALLEL_END)
    | bit(E::WORK)
    | bit(E::DISPATCH);

/// From now on all is kept that a debugger reads: what it needs comes by `FOR_DEBUGGER`, with
/// `debugged`. That they are in the set keeps the tests on straight paths as short as they were.
pub(crate) fn expect_debugger() {
    add_own(DEBUG | FOR_DEBUGGER);
}

/// Whether a debugger is expected.
#[inline(always)]
pub(crate) fn is_debugged() -> bool {
    wants(DEBUG)
}

/// Whether any of `events` is registered.
#[inline(always)]
pub(crate) fn wants(events: Mask) -> bool {
    // Relaxed: a tool registers before any event (in its initializer); a change while the program
    // runs need not be seen at once.
    let wanted = MASK.load(Relaxed) & events != 0;
    if wanted {
        listened();
    }
    wanted
}

/// Whether records and frames are kept.
#[inline(always)]
pub fn is_active() -> bool {
    wants(ACTIVE)
}

/// Moves the code of the listened case out of the straight path.
#[cold]
#[inline(never)]
const fn listened() {}
