//! The static slot of a tool.

use core::cell::UnsafeCell;
use core::fmt;
use core::ptr::{self, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use oxomp_sys::ompt::ompt_start_tool_result_t;

use crate::Tool;
use crate::gate::Gate;

/// A [`Tool`] to which [`ompt_tool!`](crate::ompt_tool) has given a slot.
///
/// # Safety
/// `slot` returns the same slot every time, and nothing else uses it.
pub unsafe trait Registered: Tool {
    /// The slot of the tool.
    fn slot() -> &'static Slot<Self>;
}

/// The slot of a tool in static memory, where callbacks find the tool.
///
/// A tool that has been stored is never moved, overwritten or dropped: when the runtime ends the
/// tool, other threads may still be in its callbacks. A tool that is started again, by a runtime
/// that was shut down or in a forked child, gets memory of its own.
pub struct Slot<T> {
    gate: Gate,
    tool: AtomicPtr<T>,
    result: UnsafeCell<ompt_start_tool_result_t>,
}

// SAFETY: the SDK only takes the address of `result`, which is the runtime's; the rest is `Sync`.
unsafe impl<T: Tool> Sync for Slot<T> {}

impl<T> Slot<T> {
    pub(crate) const fn with(gate: Gate, result: ompt_start_tool_result_t) -> Self {
        Self { gate, tool: AtomicPtr::new(null_mut()), result: UnsafeCell::new(result) }
    }

    /// The tool, once `initialize` has stored it.
    #[inline]
    pub(crate) fn tool(&self) -> Option<&'static T> {
        // SAFETY: null, or a tool that stays for the run.
        unsafe { self.tool.load(Ordering::Acquire).as_ref() }
    }

    /// Stores the tool of a start, which stays.
    pub(crate) fn store(&self, tool: &'static T) {
        self.tool.store(ptr::from_ref(tool).cast_mut(), Ordering::Release);
    }

    /// From now on callbacks find no tool.
    pub(crate) fn clear(&self) {
        self.tool.store(null_mut(), Ordering::Release);
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// The runtime's answer to `ompt_start_tool`.
    pub(crate) fn result(&self) -> *mut ompt_start_tool_result_t {
        self.result.get()
    }
}

impl<T> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").finish_non_exhaustive()
    }
}
