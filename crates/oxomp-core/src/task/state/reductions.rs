//! The reductions of a taskgroup for its tasks.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_protocol::Alone;
use smallvec::SmallVec;

use super::copies::Copies;

/// Addresses of list items.
pub type SharedItems = SmallVec<[*mut c_void; 4]>;

/// One reduction of a taskgroup: the copies, and, if each thread of a team has begun a taskgroup
/// with variables of its own, the addresses by which its tasks ask for their copies.
#[derive(Debug)]
pub(in crate::task) struct Reductions {
    pub(in crate::task) copies: &'static Copies,
    pub(in crate::task) shared: SharedItems,
    /// The next reduction of the taskgroup.
    pub(in crate::task) next: Option<Box<Reductions>>,
}

impl Reductions {
    /// The calling thread's copy of the item at `data`, and the item's address in this taskgroup.
    pub(in crate::task) fn find(
        &self,
        thread_num: usize,
        data: *mut c_void,
    ) -> Option<(*mut c_void, *mut c_void)> {
        if thread_num >= self.copies.threads() {
            // The caller is in a larger team within the taskgroup's: it has no part.
            return None;
        }
        let index = self.copies.find(data, &self.shared)?;
        Some((self.copies.begin(thread_num, index), self.copies.shared(index, &self.shared)))
    }

    /// In the child of a fork(2): this taskgroup is the last that shares the copies.
    pub(in crate::task) fn outlive_others(&self, alone: &Alone) {
        let mut these = Some(self);
        while let Some(one) = these {
            one.copies.outlive_others(alone);
            these = one.next.as_deref();
        }
    }
}

/// The reductions of a taskgroup, the latest first; null for none.
///
/// Invariant: the thread that encountered the taskgroup adds a reduction before it generates the
/// tasks that search the list, and takes the list when these tasks are complete.
#[derive(Debug)]
pub(in crate::task) struct ReductionList(AtomicPtr<Reductions>);

impl ReductionList {
    pub(super) const fn new() -> Self {
        ReductionList(AtomicPtr::new(ptr::null_mut()))
    }

    /// Adds the reduction of these copies, under these addresses.
    pub(in crate::task) fn add(&self, copies: &'static Copies, shared: SharedItems) {
        let next = self.take();
        let first = Box::new(Reductions { copies, shared, next });
        // Relaxed, here and below: the queues of tasks order the generating thread before the
        // executing ones.
        self.0.store(Box::into_raw(first), Relaxed);
    }

    /// The first reduction, for a task of the taskgroup.
    pub(in crate::task) fn first(&self) -> Option<&Reductions> {
        // SAFETY: the pointer is null or comes from a box, which no thread takes while tasks of the
        // taskgroup run (Invariant).
        unsafe { self.0.load(Relaxed).as_ref() }
    }

    /// Takes all reductions.
    #[inline(always)]
    pub(in crate::task) fn take(&self) -> Option<Box<Reductions>> {
        let first = self.0.load(Relaxed);
        if first.is_null() {
            return None;
        }
        self.0.store(ptr::null_mut(), Relaxed);
        // SAFETY: the pointer comes from a box; only the encountering thread takes the list, when
        // no task searches it any more (Invariant).
        Some(unsafe { Box::from_raw(first) })
    }
}
