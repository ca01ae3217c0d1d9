//! The taskgroup construct (OpenMP 5.2 §15.4): how its end knows that all its tasks are complete.

use core::cell::{Cell, RefCell};

use super::reduction::Reductions;
use super::scheduler;
use super::unfinished::Unfinished;
use crate::arch::CallSite;
use crate::ompt::event::{Endpoint, EnterFrame, SyncRegion, emit};
use crate::thread::Thread;

/// A taskgroup region.
#[derive(Debug)]
pub struct Taskgroup {
    outer: Cell<Option<&'static Taskgroup>>,
    pub(super) tasks: Unfinished<Thread>,
    pub(super) reductions: RefCell<Option<Box<Reductions>>>,
}

// SAFETY: the cells are the encountering thread's; others read `reductions`, which do not change while
// tasks of the group run; `tasks` says for itself.
unsafe impl Sync for Taskgroup {}

impl Taskgroup {
    fn new() -> Self {
        Taskgroup {
            outer: Cell::new(None),
            tasks: Unfinished::new(),
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
}

/// Begins a taskgroup region in the current task.
#[inline(always)]
pub fn begin_taskgroup(thread: &'static Thread, site: CallSite) -> &'static Taskgroup {
    let task = thread.task();
    let group = take(thread);
    group.outer.set(task.taskgroup.get());
    group.tasks.begin((!task.is_untied()).then_some(thread));
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
    if group.tasks.is_pending() {
        let before = thread.set_state(KIND.state());
        scheduler::run_while(thread, || group.tasks.is_pending());
        thread.set_state(before);
    }
    if let Some(reductions) = group.reductions.take() {
        reductions.finish(thread, &task.ompt, site);
    }
    emit::sync_region_wait(KIND, Endpoint::End, parallel, &task.ompt, site);
    emit::sync_region(KIND, Endpoint::End, parallel, &task.ompt, site);
    task.taskgroup.set(group.outer.get());
    give_back(thread, group);
}

/// A taskgroup for use.
#[inline(always)]
pub(super) fn take(thread: &Thread) -> &'static Taskgroup {
    match thread.spares.taskgroup.take() {
        Some(spare) => {
            thread.spares.taskgroup.set(spare.outer.get());
            spare
        }
        None => new_taskgroup(),
    }
}

/// All tasks of the group are complete.
#[inline(always)]
pub(super) fn give_back(thread: &Thread, group: &'static Taskgroup) {
    group.outer.set(thread.spares.taskgroup.get());
    thread.spares.taskgroup.set(Some(group));
}
