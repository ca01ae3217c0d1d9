//! What a thread shows of itself to the helper, which takes the call paths of threads that block.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use crate::own_thread::own_thread;
use crate::team::Team;

/// Where a thread is, on a line of its own, which only the thread writes. The helper reads it a
/// hundred times a second at most.
///
/// Relaxed: the words need not belong to one moment. The helper believes what it has read if the
/// thread has not run meanwhile, and a thread that blocks has stored all its words before.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Visible {
    /// When its present stretch of user code began; 0: none.
    since: AtomicU64,
    /// When its last stretch ended.
    left: AtomicU64,
    /// The code address of the region it is in; 0: none.
    code: AtomicU64,
    /// The team in whose region it is a worker, or null.
    team: AtomicPtr<Team>,
    /// The system's number of the thread.
    tid: AtomicU32,
    /// Its pthread_self.
    handle: AtomicU64,
    /// When the thread last looked at its use of processors, in ticks; how long it had computed by
    /// then, and how long it had been ready without a processor, ns.
    looked: AtomicU64,
    used: AtomicU64,
    delay: AtomicU64,
}

/// A thread in user code, as the helper sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InUserCode {
    pub(crate) code: u64,
    pub(crate) team: Option<&'static Team>,
    pub(crate) tid: u32,
    /// Its pthread_self.
    pub(crate) handle: u64,
    /// When its present stretch of user code began, in ticks.
    pub(crate) since: u64,
    /// Its last look at its use of processors.
    pub(crate) look: Look,
}

/// A thread in a region that is not in user code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    pub(crate) code: u64,
    pub(crate) tid: u32,
    /// When it left user code, in ticks.
    pub(crate) left: u64,
}

/// A thread's use of processors at a moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// The moment, in ticks.
    pub(crate) tick: u64,
    /// Processor time, and time ready without a processor, ns.
    pub(crate) used: u64,
    pub(crate) delay: u64,
}

impl Visible {
    /// The thread, whose number the system gives, begins.
    pub(crate) fn begin_thread(&self) {
        self.tid.store(own_thread().unsigned_abs(), Ordering::Relaxed);
        // SAFETY: always safe to call.
        self.handle.store(unsafe { libc::pthread_self() }, Ordering::Relaxed);
    }

    /// The system's number of the thread; 0 before its first user code.
    pub(crate) fn tid(&self) -> u32 {
        self.tid.load(Ordering::Relaxed)
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

    /// The thread's user code ends at the tick `now`.
    #[inline]
    pub(crate) fn show_left(&self, now: u64) {
        self.show_since(0);
        self.left.store(now, Ordering::Relaxed);
    }

    /// The thread, if it is in a region but not in user code, and when it left user code: it waits
    /// at a barrier, or for tasks. A worker that is idle has left its last region, and does not
    /// show it.
    pub(crate) fn see_waiting(&self) -> Option<Waiting> {
        let code = self.code.load(Ordering::Relaxed);
        let (tid, left) = (self.tid.load(Ordering::Relaxed), self.left.load(Ordering::Relaxed));
        let waits = self.since.load(Ordering::Relaxed) == 0 && code != 0 && tid != 0;
        waits.then_some(Waiting { code, tid, left })
    }

    /// The thread has looked at its use of processors.
    pub(crate) fn show_look(&self, look: Look) {
        self.looked.store(look.tick, Ordering::Relaxed);
        self.used.store(look.used, Ordering::Relaxed);
        self.delay.store(look.delay, Ordering::Relaxed);
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
            handle: self.handle.load(Ordering::Relaxed),
            since,
            look: Look {
                tick: self.looked.load(Ordering::Relaxed),
                used: self.used.load(Ordering::Relaxed),
                delay: self.delay.load(Ordering::Relaxed),
            },
        })
    }
}
