//! The callback in which the tool ends itself.

use std::sync::atomic::{AtomicI32, Ordering};

use super::entry_points::finalize_tool;

/// The moment at which the tool ends itself.
static HOOK: AtomicI32 = AtomicI32::new(0);

/// Where a callback ends the tool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hook {
    /// At the begin of an implicit task of a region, on whatever thread.
    ImplicitTask = 1,
}

/// Ends the tool in the next callback of that kind.
pub(crate) fn end_at(hook: Hook) {
    HOOK.store(hook as i32, Ordering::Release);
}

/// Called by callbacks: ends the tool if this is the moment.
pub(super) fn fire_hook(hook: Hook) {
    let armed = hook as i32;
    if HOOK.compare_exchange(armed, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        && let Some(end) = finalize_tool()
    {
        // SAFETY: 6.0 §36.20 allows the call in a callback.
        unsafe { end() };
    }
}
