//! The process whose runtime has the tool of a slot, of either interface.

use core::sync::atomic::{AtomicU32, Ordering};

/// The owner while no runtime has the tool.
const NOBODY: u32 = 0;

/// The process whose runtime has the tool, from its start to its end. A forked child inherits its
/// parent as the owner; the child's own runtime may take the tool from that owner.
#[derive(Debug)]
pub(crate) struct Owner(AtomicU32);

impl Owner {
    pub(crate) const fn nobody() -> Self {
        Self(AtomicU32::new(NOBODY))
    }

    /// Whether a runtime of this process has the tool.
    pub(crate) fn is_this_process(&self) -> bool {
        self.0.load(Ordering::Acquire) == std::process::id()
    }

    /// Gives the tool to the runtime that calls; false if another runtime of this process has it.
    /// If two runtimes call at once, only one exchanges the owner that both have seen.
    pub(crate) fn take(&self) -> bool {
        // Acquire: pairs with the Release in `leave`, so that a later start sees the earlier one's
        // effects. Release: `is_this_process` of another runtime is true from now on.
        let (me, owner) = (std::process::id(), self.0.load(Ordering::Acquire));
        owner != me
            && self.0.compare_exchange(owner, me, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Whether a runtime has the tool, so that entry points may be used.
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        // Relaxed: the runtime's functions answer at any time; a call that sees an old value could
        // as well have come a moment earlier.
        self.0.load(Ordering::Relaxed) != NOBODY
    }

    /// The tool has ended, or was not made.
    pub(crate) fn leave(&self) {
        self.0.store(NOBODY, Ordering::Release);
    }
}
