//! The phases of a tool's life, and the operations that each allows.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use core::sync::atomic::{AtomicI64, AtomicU32};

use once_cell::race::OnceBox;
use oxomp_base::os;
use oxomp_protocol::yield_now;

use crate::block::Thread;

/// The phases of the interface (OpenMP 5.2 §19.2.2), in finer steps: no thread has searched for a
/// tool.
pub(super) const NOT_SEARCHED: u32 = 0;
pub(super) const SEARCHING: u32 = 1;
/// A tool wants to run; its initializer has not returned.
pub(super) const PENDING: u32 = 2;
/// The tool's initializer runs.
pub(super) const INITIALIZING: u32 = 3;
pub(super) const ACTIVE: u32 = 4;
/// The tool's finalizer runs.
pub(super) const FINALIZING: u32 = 5;
/// There is no tool, or it has been finalized.
pub(super) const INACTIVE: u32 = 6;
pub(super) static STATE: AtomicU32 = AtomicU32::new(NOT_SEARCHED);

/// The functions of the room `process`, which is above this one, that this room calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hooks {
    /// Emits the first events of a root.
    pub(crate) announce: fn(&Thread),
    /// Emits the last events that can be delivered, then calls `finish`.
    pub(crate) shut_down: fn(),
}

static HOOKS: OnceBox<Hooks> = OnceBox::new();

/// Keeps the hooks, which are the same at every call.
pub(super) fn keep(hooks: Hooks) {
    HOOKS.get_or_init(|| Box::new(hooks));
}

/// The hooks; `None` before a tool has been searched for.
pub(super) fn hooks() -> Option<Hooks> {
    HOOKS.get().copied()
}

/// Emits the last events that can be delivered, then calls the tool's finalizer.
pub(super) fn shut_down() {
    if let Some(hooks) = hooks() {
        (hooks.shut_down)();
    }
}

/// The thread that ends the tool: the process id and the kernel's id of the thread.
static ENDER: AtomicI64 = AtomicI64::new(0);

fn caller() -> i64 {
    i64::from(os::process_id()) << 32 | i64::from(os::thread_id())
}

/// Begins the end of the tool, from its initializer on; returns whether the caller is to end it.
pub(super) fn begin_end() -> bool {
    let begins = [ACTIVE, INITIALIZING]
        .iter()
        .any(|phase| STATE.compare_exchange(*phase, FINALIZING, AcqRel, Acquire).is_ok());
    if begins {
        ENDER.store(caller(), Release);
    }
    begins
}

/// Whether a thread is ending the tool.
pub(crate) fn is_ending() -> bool {
    STATE.load(Acquire) == FINALIZING
}

/// Whether another thread is ending the tool: the one that ends it may come again, from a callback
/// of its last events.
pub(super) fn is_ended_by_another() -> bool {
    is_ending() && ENDER.load(Acquire) != caller()
}

/// Waits until another thread of the process has ended the tool, if one is ending it, so that the
/// process does not end in the middle of its finalizer. No longer than 10 s: the finalizer may wait
/// for the caller.
pub(super) fn wait_for_end() {
    const LONGEST_NS: u64 = 10_000_000_000;
    let deadline = os::monotonic_ns() + LONGEST_NS;
    let is_other = |ender: i64| ender >> 32 == caller() >> 32 && ender != caller();
    while is_ending() && is_other(ENDER.load(Acquire)) && os::monotonic_ns() < deadline {
        yield_now();
    }
}

/// The tool has been told of its end. The next phase is `next`, unless the process is the child of
/// a fork(2) that the tool has made meanwhile.
pub(super) fn end_as(next: u32) {
    let _ = STATE.compare_exchange(FINALIZING, next, AcqRel, Acquire);
}

/// Whether the search for a tool, or the tool's initializer, is running.
pub(crate) fn is_starting() -> bool {
    matches!(STATE.load(Acquire), SEARCHING | PENDING | INITIALIZING)
}

/// Whether a tool is active.
pub fn is_active() -> bool {
    STATE.load(Acquire) == ACTIVE
}

/// Whether a tool is active, or will be when the runtime has started.
pub(super) fn is_in_sight() -> bool {
    matches!(STATE.load(Acquire), PENDING | INITIALIZING | ACTIVE)
}

/// Whether a tool may register callbacks now: from its initializer to its finalizer.
pub(super) fn accepts_callbacks() -> bool {
    matches!(STATE.load(Acquire), INITIALIZING | ACTIVE)
}

/// Whether the tool's initializer runs.
pub(super) fn is_initializing() -> bool {
    STATE.load(Acquire) == INITIALIZING
}

/// Whether entry points return data: from a tool's initializer to the end of its finalizer.
pub(super) fn answers() -> bool {
    matches!(STATE.load(Acquire), INITIALIZING | ACTIVE | FINALIZING)
}
