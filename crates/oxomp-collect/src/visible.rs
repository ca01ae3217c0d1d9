//! What a thread shows of itself to the helper, which takes the call paths of threads that block.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use crate::team::Team;

/// Where a thread is, on a line of its own, which only the thread writes. The helper reads it a
/// hundred times a second at most.
///
/// Relaxed: the words need not belong to one moment. The helper believes what it has read if the
/// thread has not run meanwhile, and a thread that blocks has stored all of them before.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Visible {
    /// When its present stretch of user code began; 0: none.
    since: AtomicU64,
    /// The code address of the region it is in; 0: none.
    code: AtomicU64,
    /// The team in whose region it is a worker, or null.
    team: AtomicPtr<Team>,
    /// The system's number of the thread.
    tid: AtomicU32,
}

/// A thread in user code, as the helper sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InUserCode {
    pub(crate) code: u64,
    pub(crate) team: Option<&'static Team>,
    pub(crate) tid: u32,
}

impl Visible {
    /// The thread, whose number the system gives, begins.
    pub(crate) fn begin_thread(&self) {
        // SAFETY: a call without arguments that always succeeds.
        let tid = unsafe { libc::gettid() }.unsigned_abs();
        self.tid.store(tid, Ordering::Relaxed);
    }

    /// The thread is in the region at `code`, as a worker of `team`.
    #[inline]
    pub(crate) fn show_region(&self, code: u64, team: Option<&'static Team>) {
        self.code.store(code, Ordering::Relaxed);
        let team = team.map_or(ptr::null_mut(), |team| ptr::from_ref(team).cast_mut());
        self.team.store(team, Ordering::Relaxed);
    }

    /// The thread's user code begins at the tick `since`, or, with 0, ends.
    #[inline]
    pub(crate) fn show_since(&self, since: u64) {
        self.since.store(since, Ordering::Relaxed);
    }

    /// The thread, if it is in user code.
    pub(crate) fn see(&self) -> Option<InUserCode> {
        let since = self.since.load(Ordering::Relaxed);
        let tid = self.tid.load(Ordering::Relaxed);
        (since != 0 && tid != 0).then(|| InUserCode {
            code: self.code.load(Ordering::Relaxed),
            // SAFETY: null, or a team, which is never freed.
            team: unsafe { self.team.load(Ordering::Relaxed).as_ref() },
            tid,
        })
    }
}
