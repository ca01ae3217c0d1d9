//! A taskgroup region, with the count by which its end waits for its tasks.

use core::convert::Infallible;
use core::ptr;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_base::word::Word;
use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::task::Unfinished;
use oxomp_protocol::{Alone, Owner, Sole, ThisThread};

use super::reductions::ReductionList;
use crate::block::Shared;

/// A taskgroup region.
#[derive(Debug)]
pub struct Taskgroup {
    outer: Word<Option<Shared<Taskgroup>>>,
    /// The task that encountered the construct, as an address; null for the taskgroup of a parallel
    /// region.
    encountering: Word<*const ()>,
    is_cancelled: AtomicBool,
    /// The taskgroup only serves a reduction with the task modifier: the program has no taskgroup
    /// construct there.
    is_hidden: Word<bool>,
    pub(in crate::task) tasks: Unfinished,
    pub(in crate::task) reductions: ReductionList,
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Taskgroup {
    outer => TaskgroupOuter,
    encountering => TaskgroupEncountering,
    is_cancelled => TaskgroupIsCancelled,
});

impl Taskgroup {
    /// Creates a taskgroup. The thread that ends it keeps it for reuse, so there are only as many
    /// as were open at once.
    #[cold]
    pub(super) fn create() -> &'static Taskgroup {
        Box::leak(Box::new(Taskgroup {
            outer: Word::of(None),
            encountering: Word::<*const ()>::new(ptr::null()),
            is_cancelled: AtomicBool::new(false),
            is_hidden: Word::<bool>::new(false),
            tasks: Unfinished::new(),
            reductions: ReductionList::new(),
        }))
    }

    /// The enclosing taskgroup.
    pub(super) fn set_outer(&self, outer: Option<&'static Taskgroup>) {
        self.outer.set(outer.map(Shared::of));
    }

    /// Begins the taskgroup region that `task` encounters within the taskgroup `outer`, on `thread`
    /// until its end if the task stays there. The task is identified by its address.
    #[inline(always)]
    pub(in crate::task) fn begin<T, H: ThisThread>(
        &self,
        task: &T,
        outer: Option<&'static Taskgroup>,
        thread: Option<&H>,
    ) {
        self.set_outer(outer);
        self.encountering.set(ptr::from_ref(task).cast());
        self.begin_uncancelled(false);
        self.unused_tasks().begin(thread);
    }

    /// The count, before the taskgroup's region begins.
    #[inline(always)]
    fn unused_tasks(&self) -> Sole<&Unfinished> {
        // SAFETY: the calling thread has just made the taskgroup, or keeps it since the end of its
        // last region. All tasks of that region are complete, and a thread that has counted a task
        // out does not access the count again.
        unsafe { Sole::of(&self.tasks) }
    }

    /// Whether tasks of the taskgroup are unfinished.
    ///
    /// # Safety
    /// The calling thread executes the task that has encountered the taskgroup, which is not that
    /// of a parallel region.
    #[inline(always)]
    pub(in crate::task) unsafe fn is_pending(&self) -> bool {
        // SAFETY: the calling thread waits for the group (`# Safety`). If the group was begun on a
        // thread, the task has not moved to another.
        unsafe { Owner::of(&self.tasks) }.is_pending()
    }

    #[inline(always)]
    fn begin_uncancelled(&self, is_hidden: bool) {
        // Relaxed: whoever finds the taskgroup in a task has the task from a queue.
        self.is_cancelled.store(false, Relaxed);
        self.is_hidden.set(is_hidden);
    }

    /// Cancels the taskgroup. Returns whether this call did it.
    pub(crate) fn cancel(&self) -> bool {
        // Relaxed, here and below: the flag publishes nothing.
        !self.is_cancelled.swap(true, Relaxed)
    }

    /// Whether the taskgroup is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed)
    }

    /// Marks a taskgroup that the program has no construct for.
    pub(in crate::task) fn hide(&self) {
        self.is_hidden.set(true);
    }

    /// Whether the program has no construct for the taskgroup.
    pub(super) fn is_hidden(&self) -> bool {
        self.is_hidden.get()
    }

    /// Begins the taskgroup of a parallel region: it has no enclosing taskgroup.
    pub(in crate::task) fn begin_region(&self) {
        self.outer.set(None);
        self.encountering.set(ptr::null());
        self.begin_uncancelled(true);
        self.unused_tasks().begin::<Infallible>(None);
    }

    /// Whether `task` is in the taskgroup because it encountered the construct.
    pub(in crate::task) fn is_of<T>(&self, task: &T) -> bool {
        ptr::addr_eq(self.encountering.get(), task)
    }

    /// In the child of a fork(2): resets the count, to which the surviving tasks are added again,
    /// and the taskgroup no longer shares its reductions with other threads.
    pub(in crate::task) fn outlive_others(&self, alone: &Alone) {
        self.tasks.restart(alone);
        if let Some(reductions) = self.reductions.first() {
            reductions.outlive_others(alone);
        }
    }

    /// The enclosing taskgroup.
    pub(in crate::task) fn outer(&self) -> Option<&'static Taskgroup> {
        self.outer.get().map(Shared::get)
    }
}
