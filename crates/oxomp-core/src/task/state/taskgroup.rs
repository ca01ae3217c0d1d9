//! A taskgroup region: how its end knows that all its tasks are complete.

use core::ptr;

use oxomp_protocol::task::Unfinished;

use super::reductions::ReductionList;
use crate::block::Shared;
use crate::word::Word;

/// A taskgroup region.
#[derive(Debug)]
pub struct Taskgroup {
    outer: Word<Option<Shared<Taskgroup>>>,
    /// The task that encountered the construct; null if it is a parallel region's.
    encountering: Word<*const ()>,
    pub(in crate::task) tasks: Unfinished,
    pub(in crate::task) reductions: ReductionList,
}

impl Taskgroup {
    /// A taskgroup, kept by the threads that end taskgroups: there are as many as are open at once.
    #[cold]
    pub(super) fn create() -> &'static Taskgroup {
        Box::leak(Box::new(Taskgroup {
            outer: Word::of(None),
            encountering: Word::<*const ()>::new(ptr::null()),
            tasks: Unfinished::new(),
            reductions: ReductionList::new(),
        }))
    }

    /// The taskgroup around this one.
    pub(super) fn set_outer(&self, outer: Option<&'static Taskgroup>) {
        self.outer.set(outer.map(Shared::of));
    }

    /// A task has encountered the construct within the taskgroup `outer`, on `thread` until its end if
    /// that is known. The task is known by its address.
    #[inline(always)]
    pub(in crate::task) fn begin<T, H>(
        &self,
        task: &T,
        outer: Option<&'static Taskgroup>,
        thread: Option<&H>,
    ) {
        self.set_outer(outer);
        self.encountering.set(ptr::from_ref(task).cast());
        self.tasks.begin(thread);
    }

    /// The taskgroup is a parallel region's: there is none around it.
    pub(in crate::task) fn begin_region(&self) {
        self.outer.set(None);
        self.encountering.set(ptr::null());
        self.tasks.begin::<()>(None);
    }

    /// Whether `task` is in the taskgroup because it encountered the construct.
    pub(in crate::task) fn is_of<T>(&self, task: &T) -> bool {
        ptr::addr_eq(self.encountering.get(), task)
    }

    /// In the child of a fork(2): the tasks that are left count in again, and no other thread will
    /// combine what the taskgroup reduces.
    pub(in crate::task) fn outlive_others(&self) {
        self.tasks.restart();
        if let Some(reductions) = self.reductions.first() {
            reductions.outlive_others();
        }
    }

    /// The taskgroup around this one.
    pub(in crate::task) fn outer(&self) -> Option<&'static Taskgroup> {
        self.outer.get().map(Shared::get)
    }
}
