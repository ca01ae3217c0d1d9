//! The taskgroup construct (OpenMP 5.2 §15.4): how its end knows that all its tasks are complete.

use core::cell::{Cell, RefCell};
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::reduction::Reductions;
use super::scheduler;
use crate::arch::CallSite;
use crate::ompt::event::{Endpoint, EnterFrame, SyncRegion, emit};
use crate::sync::AtomicU64;
use crate::thread::Thread;

/// A taskgroup region.
///
/// The thread that is in it counts at `home`, all others in `away`; an unfinished task is one that was
/// counted in and not yet out, so their sum is the number of those. A task is counted in before it can
/// run, and a task that makes another is itself still counted, so the sum is zero only once, at the
/// end. Whoever counts out touches the taskgroup for the last time.
#[derive(Debug)]
pub struct Taskgroup {
    outer: Cell<Option<&'static Taskgroup>>,
    thread: Cell<*const Thread>,
    home: Cell<u64>,
    away: AtomicU64,
    pub(super) reductions: RefCell<Option<Box<Reductions>>>,
}

// SAFETY: the cells are the encountering thread's; others read `thread` and `reductions`, which do not
// change while tasks of the group run.
unsafe impl Sync for Taskgroup {}

impl Taskgroup {
    fn new() -> Self {
        Taskgroup {
            outer: Cell::new(None),
            thread: Cell::new(ptr::null()),
            home: Cell::new(0),
            away: AtomicU64::new(0),
            reductions: RefCell::new(None),
        }
    }

    pub(super) fn outer_is(&self, outer: Option<&'static Taskgroup>) {
        self.outer.set(outer);
    }

    /// The taskgroup around this one.
    pub(super) fn outer(&self) -> Option<&'static Taskgroup> {
        self.outer.get()
    }

    #[inline(always)]
    fn count(&self, here: *const Thread, change: u64) {
        if ptr::eq(self.thread.get(), here) {
            self.home.set(self.home.get().wrapping_add(change));
        } else {
            // AcqRel: the end sees what the tasks did.
            self.away.fetch_add(change, AcqRel);
        }
    }

    /// One task more, made by `here`.
    #[inline(always)]
    pub(super) fn enter(&self, here: *const Thread) {
        self.count(here, 1);
    }

    /// A task of the group is complete; `here` is the calling thread, or null.
    #[inline(always)]
    pub(super) fn leave(&self, here: *const Thread) {
        self.count(here, u64::MAX);
    }

    /// Whether tasks of the group are unfinished.
    #[inline(always)]
    pub(super) fn is_pending(&self) -> bool {
        // Acquire: pairs with the tasks' counting out.
        self.home.get().wrapping_add(self.away.load(Acquire)) != 0
    }
}

/// Begins a taskgroup region in the current task.
#[inline(always)]
pub fn begin_taskgroup(thread: &'static Thread, site: CallSite) -> &'static Taskgroup {
    let task = thread.task();
    let group = take(thread);
    group.outer.set(task.taskgroup.get());
    group.thread.set(if task.is_untied() { ptr::null() } else { thread });
    task.taskgroup.set(Some(group));
    emit::sync_region(
        SyncRegion::Taskgroup,
        Endpoint::Begin,
        task.ompt.parallel(),
        &task.ompt,
        site,
    );
    group
}

#[cold]
fn new_taskgroup() -> &'static Taskgroup {
    // Kept by the threads that end taskgroups; as many as are open at once.
    Box::leak(Box::new(Taskgroup::new()))
}

/// Ends the innermost taskgroup region of the current task: all tasks of the group, and theirs, are
/// complete when it returns. An end without a begin is the program's error, and nothing.
#[inline(always)]
pub fn end_taskgroup(thread: &'static Thread, site: CallSite) {
    const KIND: SyncRegion = SyncRegion::Taskgroup;
    let task = thread.task();
    let Some(group) = task.taskgroup.get() else { return };
    let _frame = EnterFrame::new(&task.ompt, site);
    let parallel = task.ompt.parallel();
    emit::sync_region_wait(KIND, Endpoint::Begin, parallel, &task.ompt, site);
    if group.is_pending() {
        let before = thread.set_state(KIND.state());
        scheduler::run_while(thread, || group.is_pending());
        thread.set_state(before);
    }
    if let Some(reductions) = group.reductions.take() {
        reductions.finish();
    }
    emit::sync_region_wait(KIND, Endpoint::End, parallel, &task.ompt, site);
    emit::sync_region(KIND, Endpoint::End, parallel, &task.ompt, site);
    task.taskgroup.set(group.outer.get());
    give_back(thread, group);
}

/// A taskgroup for use.
#[inline(always)]
pub(super) fn take(thread: &Thread) -> &'static Taskgroup {
    match thread.spare_taskgroup.take() {
        Some(spare) => {
            thread.spare_taskgroup.set(spare.outer.get());
            spare
        }
        None => new_taskgroup(),
    }
}

/// All tasks of the group are complete.
#[inline(always)]
pub(super) fn give_back(thread: &Thread, group: &'static Taskgroup) {
    group.thread.set(ptr::null());
    group.home.set(0);
    group.away.store(0, Relaxed);
    group.outer.set(thread.spare_taskgroup.get());
    thread.spare_taskgroup.set(Some(group));
}
