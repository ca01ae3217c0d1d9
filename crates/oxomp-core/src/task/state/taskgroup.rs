//! A taskgroup region: how its end knows that all its tasks are complete.

use core::cell::{Cell, RefCell};
use core::ptr;

use oxomp_protocol::task::Unfinished;

use super::Task;
use super::reductions::Reductions;
use crate::block::Thread;

/// A taskgroup region.
#[derive(Debug)]
pub struct Taskgroup {
    outer: Cell<Option<&'static Taskgroup>>,
    /// The task that encountered the construct; null if it is a parallel region's.
    encountering: Cell<*const Task>,
    pub(in crate::task) tasks: Unfinished<Thread>,
    pub(in crate::task) reductions: RefCell<Option<Box<Reductions>>>,
}

// SAFETY: the cells are the encountering thread's; others read `reductions`, which do not change
// while tasks of the group run; `tasks` says for itself.
unsafe impl Sync for Taskgroup {}

impl Taskgroup {
    /// A taskgroup, kept by the threads that end taskgroups: there are as many as are open at once.
    #[cold]
    pub(super) fn create() -> &'static Taskgroup {
        Box::leak(Box::new(Taskgroup {
            outer: Cell::new(None),
            encountering: Cell::new(ptr::null()),
            tasks: Unfinished::new(),
            reductions: RefCell::new(None),
        }))
    }

    /// The taskgroup around this one.
    pub(super) fn set_outer(&self, outer: Option<&'static Taskgroup>) {
        self.outer.set(outer);
    }

    /// A task has encountered the construct, on `thread` until its end if that is known.
    #[inline(always)]
    pub(in crate::task) fn begin(&self, task: &Task, thread: Option<&Thread>) {
        self.outer.set(task.taskgroup.get());
        self.encountering.set(task);
        self.tasks.begin(thread);
    }

    /// The taskgroup is a parallel region's: there is none around it.
    pub(in crate::task) fn begin_region(&self) {
        self.outer.set(None);
        self.encountering.set(ptr::null());
        self.tasks.begin(None);
    }

    /// Whether `task` is in the taskgroup because it encountered the construct.
    pub(in crate::task) fn is_of(&self, task: &Task) -> bool {
        ptr::eq(self.encountering.get(), task)
    }

    /// In the child of a fork(2): the tasks that are left count in again, and no other thread will
    /// combine what the taskgroup reduces.
    pub(in crate::task) fn outlive_others(&self) {
        self.tasks.restart();
        // SAFETY: only the thread that is in the taskgroup changes them. That is the calling one,
        // or is gone, and then it was the last to look at the taskgroup.
        if let Some(reductions) = unsafe { &*self.reductions.as_ptr() } {
            reductions.outlive_others();
        }
    }

    /// The taskgroup around this one.
    pub(in crate::task) fn outer(&self) -> Option<&'static Taskgroup> {
        self.outer.get()
    }
}
