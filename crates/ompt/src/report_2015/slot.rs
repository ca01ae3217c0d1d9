//! The static slot of a tool.

use core::fmt;
use core::ptr::{self, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use super::Tool;
use super::gate::Gate;

/// A [`Tool`] to which [`ompt_tool!`](super::ompt_tool) has given a slot.
///
/// # Safety
/// `slot` returns the same slot every time, and nothing else uses it.
pub unsafe trait Registered: Tool {
    /// The slot of the tool.
    fn slot() -> &'static Slot<Self>;
}

/// The slot of a tool in static memory, where callbacks find the tool.
///
/// A tool that has been stored is never moved, overwritten or dropped: when the runtime shuts down,
/// other threads may still be in its callbacks. A tool that is started again, by a runtime that was
/// shut down or in a forked child, gets memory of its own.
pub struct Slot<T> {
    gate: Gate,
    tool: AtomicPtr<T>,
}

impl<T> Slot<T> {
    pub(super) const fn with(gate: Gate) -> Self {
        Self { gate, tool: AtomicPtr::new(null_mut()) }
    }

    /// The tool, once the initializer has stored it.
    #[inline]
    pub(super) fn tool(&self) -> Option<&'static T> {
        // Acquire: pairs with the Release of the initializer, which has made the tool.
        // SAFETY: null, or a tool that stays for the run.
        unsafe { self.tool.load(Ordering::Acquire).as_ref() }
    }

    /// Stores the tool of a start, which stays.
    pub(super) fn store(&self, tool: &'static T) {
        self.tool.store(ptr::from_ref(tool).cast_mut(), Ordering::Release);
    }

    /// From now on callbacks find no tool.
    pub(super) fn clear(&self) {
        self.tool.store(null_mut(), Ordering::Release);
    }

    pub(super) fn gate(&self) -> &Gate {
        &self.gate
    }
}

impl<T> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").finish_non_exhaustive()
    }
}
