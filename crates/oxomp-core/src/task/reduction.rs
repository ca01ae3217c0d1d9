//! Task reductions (OpenMP 5.2 §5.5.9): a copy of each list item for every thread that executes
//! tasks of a taskgroup, combined when the taskgroup ends.

use core::ffi::c_void;

use oxomp_arch::CallSite;

use super::state::reductions::Reductions;
use super::taskgroup::begin_taskgroup;
use super::{Copies, ReductionItem, SharedItems, Taskgroup};
use crate::block::{Team, Thread};
use crate::ompt::event::{Endpoint, State, TaskRecord, emit};

impl Reductions {
    /// The taskgroup that `task` encountered has ended: the last taskgroup that shares the copies
    /// combines them.
    #[cold]
    pub(super) fn finish(self: Box<Self>, thread: &Thread, task: &TaskRecord, site: CallSite) {
        let mut these = Some(self);
        while let Some(one) = these {
            if one.copies.leave() {
                if one.copies.is_combined_here() {
                    emit::reduction(Endpoint::Begin, task, site);
                    thread.ompt.in_state(State::WorkReduction, || {
                        one.copies.combine(&one.shared);
                    });
                    emit::reduction(Endpoint::End, task, site);
                }
                // SAFETY: `leave` has told this taskgroup that it is the last that uses the copies.
                unsafe { one.copies.release(&thread.spares.copies) };
            }
            these = one.next;
        }
    }
}

impl Reductions {
    /// The taskgroup's region was cancelled: its copies are not combined.
    #[cold]
    pub(super) fn abandon(self: Box<Self>, thread: &Thread) {
        let mut these = Some(self);
        while let Some(one) = these {
            if one.copies.leave() {
                // SAFETY: as in `finish`.
                unsafe { one.copies.release(&thread.spares.copies) };
            }
            these = one.next;
        }
    }
}

/// Makes the current taskgroup reduce `items`, and returns the taskgroup. `None` outside of any
/// taskgroup, which is the program's error.
pub fn reduce(
    thread: &'static Thread,
    items: impl ExactSizeIterator<Item = ReductionItem> + Clone,
) -> Option<&'static Taskgroup> {
    let group = thread.task().taskgroup()?;
    let copies = Copies::of_items(&thread.spares.copies, items, thread.team().size(), 1);
    group.reductions.add(copies, SharedItems::new());
    Some(group)
}

/// Makes the current taskgroup reduce the list items of `copies`.
pub fn reduce_with(thread: &'static Thread, copies: &'static Copies) {
    if let Some(group) = thread.task().taskgroup() {
        group.reductions.add(copies, SharedItems::new());
    }
}

/// A reduction that all threads of the team encounter (reduction with the task modifier): each
/// begins a taskgroup, with its own `shared` addresses. The taskgroups share the copies, which
/// `make` makes on the first thread, for a team of the given size.
pub fn reduce_in_team(
    thread: &'static Thread,
    make: impl FnOnce(u32) -> &'static Copies,
    shared: SharedItems,
    site: CallSite,
) -> (&'static Taskgroup, &'static Copies) {
    let member = thread.implicit_task();
    let team = member.team();
    let number = member.reduction.next_in_team();
    let size = team.size();
    let copies = team.tasking.shared_copies(number, size, || make(size));
    let group = begin_taskgroup(thread, site);
    group.hide();
    group.reductions.add(copies, shared);
    (group, copies)
}

/// A reduction that all threads of the team encounter (reduction with the task modifier), of
/// `items` that the runtime combines when the last of the taskgroups ends.
pub fn reduce_items_in_team(
    thread: &'static Thread,
    items: impl ExactSizeIterator<Item = ReductionItem> + Clone,
    site: CallSite,
) -> &'static Taskgroup {
    let shared = items.clone().map(|item| item.shared).collect();
    let make = |size| Copies::of_items(&thread.spares.copies, items, size, size);
    reduce_in_team(thread, make, shared, site).0
}

/// Runs a parallel region, whose implicit tasks begin in the taskgroup that `region` gets: it
/// reduces the list items of `copies`. Returns the number of the region's threads.
pub fn reduce_in_region(
    thread: &'static Thread,
    copies: &'static Copies,
    region: impl FnOnce(&'static Taskgroup),
) -> u32 {
    let task = thread.implicit_task();
    let group = thread.spares.take_taskgroup();
    group.begin_region();
    group.reductions.add(copies, SharedItems::new());
    region(group);
    let team = task.take_child();
    team.set_taskgroup(None);
    let size = team.team().size();
    task.give_child_back(team);
    // The program combines the copies, and frees them.
    drop(group.reductions.take());
    thread.spares.keep_taskgroup(group);
    size
}

/// The calling thread's copy of the list item at `data`, and the item's own address, in the
/// innermost taskgroup, from `group` outward, that reduces the item. `data` itself if no taskgroup
/// does.
pub fn copy_of(
    thread: &'static Thread,
    group: Option<&'static Taskgroup>,
    data: *mut c_void,
) -> (*mut c_void, *mut c_void) {
    let thread_num = thread.implicit_task().thread_num() as usize;
    let mut next = group.or_else(|| thread.task().taskgroup());
    while let Some(group) = next {
        let mut these = group.reductions.first();
        while let Some(one) = these {
            if let Some(found) = one.find(thread_num, data) {
                return found;
            }
            these = one.next.as_deref();
        }
        next = group.outer();
    }
    (data, data)
}

impl Copies {
    /// Copies that the program combines. A thread's part has `stride` bytes; the copies of the
    /// items with these addresses lie at these offsets in it. The last of `sharers` taskgroups
    /// frees the copies; if `sharers` is `KEPT`, the program does, by `free`.
    pub fn of_program(
        thread: &Thread,
        items: impl ExactSizeIterator<Item = (*mut c_void, usize)>,
        stride: usize,
        threads: u32,
        sharers: u32,
    ) -> &'static Copies {
        Copies::combined_by_program(&thread.spares.copies, items, stride, threads, sharers)
    }

    /// Frees copies that the program has combined.
    ///
    /// # Safety
    /// No thread uses the copies any more.
    pub unsafe fn free(&'static self, thread: &Thread) {
        // SAFETY: no thread uses the copies any more (`# Safety`).
        unsafe { self.release(&thread.spares.copies) };
    }
}

/// After a cancelled region of `team`: frees the copies of reductions that not all of its threads
/// have encountered.
pub(crate) fn drop_shared_copies(thread: &'static Thread, team: &Team) {
    team.tasking.drop_shared_copies(|copies| {
        // SAFETY: the region is over, and only its tasks used the copies.
        unsafe { copies.free(thread) };
    });
}
