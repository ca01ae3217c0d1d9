//! Whether the thread of a member of a team executes tasks that other threads may have generated.

use core::sync::atomic::AtomicI32;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_protocol::Alone;

/// Part of `MemberTasks`: the kernel's id of the member's thread while it looks for tasks of the
/// team or executes one that it has found; 0 while it has found none, and outside of task
/// scheduling points.
#[derive(Debug)]
#[repr(transparent)]
pub(in crate::task::state) struct Executor(AtomicI32);

impl Readable for Executor {
    const KIND: Kind = Kind::Signed;
}

impl Executor {
    pub(in crate::task::state) const fn new() -> Self {
        Executor(AtomicI32::new(0))
    }

    /// The thread's id, or `None` while the thread executes none of the team's queued tasks. Called
    /// by any thread.
    pub(in crate::task::state) fn lwp(&self) -> Option<i32> {
        // Relaxed: the id is a hint; a thread that acts on an old one loses only time or memory.
        Some(self.0.load(Relaxed)).filter(|lwp| *lwp != 0)
    }

    /// Sets the thread's id, or 0. Called by the owner of the member (`OwnMemberTasks`).
    #[inline(always)]
    pub(in crate::task::state) fn set(&self, lwp: i32) {
        if self.0.load(Relaxed) != lwp {
            self.0.store(lwp, Relaxed);
        }
    }

    /// In the child of a fork(2): no thread executes tasks of the team.
    pub(in crate::task::state) fn forget(&self, _: &Alone) {
        self.0.store(0, Relaxed);
    }
}
