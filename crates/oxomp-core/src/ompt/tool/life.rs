//! The steps of a tool's life, and what may be asked in each.

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32};

use crate::block::Thread;

/// The interface's state (OpenMP 5.2 §19.2.2), in finer steps.
pub(super) const NOT_SEARCHED: u32 = 0;
pub(super) const SEARCHING: u32 = 1;
/// A tool wants to run; its initializer has not returned.
pub(super) const PENDING: u32 = 2;
/// Its initializer runs.
pub(super) const INITIALIZING: u32 = 3;
pub(super) const ACTIVE: u32 = 4;
/// The tool's finalizer runs.
pub(super) const FINALIZING: u32 = 5;
/// There is no tool, or no more.
pub(super) const INACTIVE: u32 = 6;
pub(super) static STATE: AtomicU32 = AtomicU32::new(NOT_SEARCHED);

/// What the room asks of the process above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hooks {
    /// The first events of a root.
    pub(crate) announce: fn(&Thread),
    /// The last events that can be delivered, then `finish`.
    pub(crate) shut_down: fn(),
}

/// `Hooks::shut_down`; null before a tool has been started.
static SHUT_DOWN: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// The last events that can be delivered, then the tool's finalizer.
pub(super) fn shut_down() {
    let shut_down = SHUT_DOWN.load(Acquire);
    if !shut_down.is_null() {
        // SAFETY: `start` alone writes there, and stores such a function.
        unsafe { core::mem::transmute::<*mut (), fn()>(shut_down)() };
    }
}

/// Keeps the hooks for later.
pub(super) fn keep(hooks: Hooks) {
    SHUT_DOWN.store(hooks.shut_down as *mut (), Release);
}

/// Whether the tool's initializer is running.
pub(crate) fn is_initializing() -> bool {
    STATE.load(Acquire) == INITIALIZING
}

/// Whether a tool is active.
pub fn is_active() -> bool {
    STATE.load(Acquire) == ACTIVE
}

/// Whether a tool may register callbacks now: from its initializer to its finalizer.
pub(super) fn accepts_callbacks() -> bool {
    matches!(STATE.load(Acquire), INITIALIZING | ACTIVE)
}

/// Whether entry points have something to say: from a tool's initializer to the end of its finalizer.
pub(super) fn answers() -> bool {
    matches!(STATE.load(Acquire), INITIALIZING | ACTIVE | FINALIZING)
}
