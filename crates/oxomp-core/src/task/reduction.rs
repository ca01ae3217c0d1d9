//! Task reductions (OpenMP 5.2 §5.5.9): a copy of each list item for every thread that executes
//! tasks of a taskgroup, combined when the taskgroup ends.

use core::ffi::c_void;

use smallvec::SmallVec;

use super::copies::{Copies, ReductionItem};
use super::taskgroup::{self, Taskgroup, begin_taskgroup};
use crate::arch::CallSite;
use crate::ompt::event::{Endpoint, TaskRecord, emit};
use crate::thread::Thread;

/// Addresses of list items.
pub type SharedItems = SmallVec<[*mut c_void; 4]>;

/// What a taskgroup reduces: copies, and where each thread of a team has begun a taskgroup with
/// variables of its own, the addresses by which its tasks ask for theirs.
#[derive(Debug)]
pub(super) struct Reductions {
    copies: &'static Copies,
    shared: SharedItems,
    /// Others of the same taskgroup.
    next: Option<Box<Reductions>>,
}

impl Reductions {
    /// The calling thread's copy of the item at `data`, and the item's address in this taskgroup.
    fn find(&self, place: usize, data: *mut c_void) -> Option<(*mut c_void, *mut c_void)> {
        let index = self.copies.find(data, &self.shared)?;
        Some((self.copies.begin(place, index), self.copies.shared(index, &self.shared)))
    }

    /// In the child of a fork(2): the taskgroup is the last that shares the copies.
    pub(super) fn outlive_others(&self) {
        let mut these = Some(self);
        while let Some(one) = these {
            one.copies.outlive_others();
            these = one.next.as_deref();
        }
    }

    /// The taskgroup has ended, in `task`: the last of those that share the copies combines them.
    #[cold]
    pub(super) fn finish(self: Box<Self>, thread: &Thread, task: &TaskRecord, site: CallSite) {
        let mut these = Some(self);
        while let Some(one) = these {
            if one.copies.leave() {
                if one.copies.is_combined_here() {
                    emit::reduction(Endpoint::Begin, task, site);
                    one.copies.combine(&one.shared);
                    emit::reduction(Endpoint::End, task, site);
                }
                // SAFETY: the last user is this one.
                unsafe { one.copies.free(thread) };
            }
            these = one.next;
        }
    }
}

/// The current taskgroup reduces `items`: the taskgroup. None outside any: the program's error.
pub fn reduce(
    thread: &'static Thread,
    items: impl ExactSizeIterator<Item = ReductionItem> + Clone,
) -> Option<&'static Taskgroup> {
    let group = thread.task().taskgroup()?;
    let copies = Copies::of_items(thread, items, thread.team().size(), 1);
    add(group, copies, SharedItems::new());
    Some(group)
}

/// The current taskgroup reduces what `copies` are of.
pub fn reduce_with(thread: &'static Thread, copies: &'static Copies) {
    if let Some(group) = thread.task().taskgroup() {
        add(group, copies, SharedItems::new());
    }
}

/// A reduction that all threads of the team encounter (reduction with the task modifier): each
/// begins a taskgroup, with its own `shared` addresses, and they share the copies that `make` makes
/// for a team of so many on the first thread.
pub fn reduce_in_team(
    thread: &'static Thread,
    make: impl FnOnce(u32) -> &'static Copies,
    shared: SharedItems,
    site: CallSite,
) -> (&'static Taskgroup, &'static Copies) {
    let place = thread.implicit_task();
    let team = place.team();
    let number = place.reduction.next_in_team();
    let size = team.size();
    let copies = team.tasking.shared_copies(number, size, || make(size));
    let group = begin_taskgroup(thread, site);
    add(group, copies, shared);
    (group, copies)
}

/// The same, of items that the last taskgroup to end combines.
pub fn reduce_items_in_team(
    thread: &'static Thread,
    items: impl ExactSizeIterator<Item = ReductionItem> + Clone,
    site: CallSite,
) -> &'static Taskgroup {
    let shared = items.clone().map(|item| item.shared).collect();
    let make = |size| Copies::of_items(thread, items, size, size);
    reduce_in_team(thread, make, shared, site).0
}

/// Runs a parallel region whose implicit tasks are in a taskgroup that reduces what `copies` are
/// of; the number of its threads.
pub fn reduce_in_region(
    thread: &'static Thread,
    copies: &'static Copies,
    region: impl FnOnce(),
) -> u32 {
    let team = thread.implicit_task().child();
    let group = taskgroup::take(thread);
    group.begin_region();
    add(group, copies, SharedItems::new());
    team.taskgroup.set(Some(group));
    region();
    team.taskgroup.set(None);
    // The program combines the copies, and frees them.
    drop(group.reductions.take());
    taskgroup::give_back(thread, group);
    team.size()
}

fn add(group: &Taskgroup, copies: &'static Copies, shared: SharedItems) {
    let next = group.reductions.take();
    group.reductions.replace(Some(Box::new(Reductions { copies, shared, next })));
}

/// The calling thread's copy of the list item at `data`, and the item's own address: of the
/// innermost taskgroup, from `group` outward, that reduces it. `data` itself if there is none.
pub fn copy_of(
    thread: &'static Thread,
    group: Option<&'static Taskgroup>,
    data: *mut c_void,
) -> (*mut c_void, *mut c_void) {
    let place = thread.implicit_task().thread_num() as usize;
    let mut next = group.or_else(|| thread.task().taskgroup());
    while let Some(group) = next {
        // SAFETY: it does not change while tasks of the group run (`Taskgroup`).
        let mut these = unsafe { &*group.reductions.as_ptr() }.as_deref();
        while let Some(one) = these {
            if let Some(found) = one.find(place, data) {
                return found;
            }
            these = one.next.as_deref();
        }
        next = group.outer();
    }
    (data, data)
}
