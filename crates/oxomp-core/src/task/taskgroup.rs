//! The taskgroup construct (OpenMP 5.2 §15.4): how its end knows that all its tasks are complete.

use core::cell::{Cell, RefCell};
use core::ptr;

use oxomp_protocol::task::Unfinished;

use super::Task;
use super::reduction::Reductions;
use super::scheduler;
use crate::arch::CallSite;
use crate::ompt::event::{Endpoint, EnterFrame, SyncRegion, emit};
use crate::thread::Thread;

/// A taskgroup region.
#[derive(Debug)]
pub struct Taskgroup {
    outer: Cell<Option<&'static Taskgroup>>,
    /// The task that encountered the construct; null if it is a parallel region's.
    encountering: Cell<*const Task>,
    pub(super) tasks: Unfinished<Thread>,
    pub(super) reductions: RefCell<Option<Box<Reductions>>>,
}

// SAFETY: the cells are the encountering thread's; others read `reductions`, which do not change
// while tasks of the group run; `tasks` says for itself.
unsafe impl Sync for Taskgroup {}

impl Taskgroup {
    fn new() -> Self {
        Taskgroup {
            outer: Cell::new(None),
            encountering: Cell::new(ptr::null()),
            tasks: Unfinished::new(),
            reductions: RefCell::new(None),
        }
    }

    /// The taskgroup is a parallel region's: there is none around it.
    pub(super) fn begin_region(&self) {
        self.outer.set(None);
        self.encountering.set(ptr::null());
        self.tasks.begin(None);
    }

    /// Whether `task` is in the taskgroup because it encountered the construct.
    pub(super) fn is_of(&self, task: &Task) -> bool {
        ptr::eq(self.encountering.get(), task)
    }

    /// In the child of a fork(2): the tasks that are left count in again, and no other thread will
    /// combine what the taskgroup reduces.
    pub(super) fn outlive_others(&self) {
        self.tasks.restart();
        // SAFETY: only the thread that is in the taskgroup changes them. That is the calling one,
        // or is gone, and then it was the last to look at the taskgroup.
        if let Some(reductions) = unsafe { &*self.reductions.as_ptr() } {
            reductions.outlive_others();
        }
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
    group.encountering.set(task);
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
