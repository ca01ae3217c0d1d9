//! Which events somebody listens to: one word that every construct tests.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oxomp_sys::ompt::ompt_callbacks_t;

/// The set of events that a tool registered, bit n for callback code n, and `ACTIVE`.
static MASK: AtomicU64 = AtomicU64::new(0);

/// A set of events.
pub type Mask = u64;

/// A tool is attached: records and frames are kept even for events that it did not register, since
/// it may ask for them (`ompt_get_task_info`). Code 0 is no event.
pub const ACTIVE: Mask = 1;

/// The bit of an event, by its callback code (1 to 63).
pub const fn bit(event: ompt_callbacks_t) -> Mask {
    1 << event.0
}

/// The runtime itself listens, to find mistakes of the program.
const CHECKED: Mask = 1 << 63;

/// Replaces the tool's set. Threads see it at their next event.
pub fn set_mask(mask: Mask) {
    MASK.store(mask | OWN.load(Relaxed), Relaxed);
}

/// What the runtime itself listens to, with `CHECKED` and `ACTIVE`; 0 if nothing.
static OWN: AtomicU64 = AtomicU64::new(0);

/// The runtime listens to `events`, whatever the tool does.
pub(super) fn add_own(events: Mask) {
    let own = events | CHECKED | ACTIVE;
    OWN.store(own, Relaxed);
    MASK.fetch_or(own, Relaxed);
}

/// Whether the runtime itself listens.
#[inline(always)]
pub(crate) fn is_checked() -> bool {
    wants(CHECKED)
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

/// Whether a tool is attached.
#[inline(always)]
pub fn is_active() -> bool {
    wants(ACTIVE)
}

/// Moves the code of the listened case out of the straight path.
#[cold]
#[inline(never)]
const fn listened() {}
