//! A dependent task's side of its dependences: the generations that it is in and
//! those it waits for.

use core::cell::Cell;
use core::ptr::NonNull;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::Arc;

use oxomp_protocol::depend::Wait;
use smallvec::SmallVec;

use super::link::Link;
use super::source::Source;
use crate::task::Task;

/// One dependence of a task.
#[derive(Debug)]
pub(in crate::task) struct Tie {
    pub(in crate::task) wait: Wait<Ties>,
    /// The generation that the task is a member of.
    pub(in crate::task) member: Option<Link>,
}

/// The dependences of a task, or of a thread that waits in front of one.
///
/// `waiting` counts the generations that it waits for, and one while they are being looked for. Who
/// brings it to zero makes the task ready; if there is no task, a thread polls it.
///
/// They belong to the block of the task and stay with it: so their memory goes back to the
/// thread that generates tasks, wherever those are executed. One line, and what other threads
/// touch in no other.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Ties {
    pub(in crate::task) waiting: AtomicU32,
    pub(in crate::task) task: Cell<Option<&'static Task>>,
    pub(in crate::task) ties: SmallVec<[Tie; IN_PLACE]>,
    /// What other tasks' events say of this one, while a tool listens to them.
    pub(in crate::task) source: Option<Arc<Source>>,
}

/// What fits the line.
const IN_PLACE: usize = 1;

const _: () = assert!(size_of::<Ties>() == 64);

/// Ties to which their thread still adds: other threads may know those that are there, so that
/// there is never a reference to the whole.
#[derive(Clone, Copy, Debug)]
pub(in crate::task) struct Building(NonNull<Ties>);

impl Building {
    /// The ties of the task in `block`, or if there `is_no_task`, of a thread that waits in front
    /// of it: for `count` dependences, none of which is there yet.
    pub(in crate::task) fn begin(block: &'static Task, is_no_task: bool, count: usize) -> Self {
        if block.ties.get().is_null() {
            block.ties.set(Box::into_raw(Box::new(Ties {
                waiting: AtomicU32::new(0),
                task: Cell::new(None),
                ties: SmallVec::new(),
                source: None,
            })));
        }
        // SAFETY: from a box, and nobody but this thread knows the block's ties.
        let ties = unsafe { &mut *block.ties.get() };
        // The generations' lists point to the elements: they must not move.
        ties.ties.reserve(count);
        ties.task.set((!is_no_task).then_some(block));
        // Relaxed: nobody knows it yet. One more than there can be waits.
        ties.waiting.store(count as u32 + 1, Relaxed);
        Building(NonNull::from(ties))
    }

    /// One dependence more: its wait, which may be told from when a generation knows it.
    pub(in crate::task) fn add<'a>(self, member: Option<Link>) -> &'a Wait<Ties> {
        let waiter = self.0.as_ptr().cast_const();
        // SAFETY: within the capacity that `begin` reserved, so nothing moves; the vector itself is
        // this thread's, and the new element nobody else's. It stays until the ties are recycled.
        unsafe {
            let list = &mut (*self.0.as_ptr()).ties;
            let index = list.len();
            list.push(Tie { wait: Wait::new(waiter), member });
            &(*list.as_ptr().add(index)).wait
        }
    }

    /// Where the task's record for others' events is kept.
    pub(in crate::task) fn source(self) -> *mut Option<Arc<Source>> {
        // SAFETY: a field of the ties.
        unsafe { &raw mut (*self.0.as_ptr()).source }
    }

    /// `count` of the expected waits will not come: whether none is left. If they are `all`, nobody
    /// else knows the ties.
    pub(in crate::task) fn forgo(self, all: bool, count: u32) -> bool {
        // AcqRel: what the task depends on is over, and seen.
        // SAFETY: the ties are there until the waits that are taken back here would have come.
        all || unsafe { (*self.0.as_ptr()).waiting.fetch_sub(count, AcqRel) == count }
    }

    /// The ties, to which nothing is added any more.
    pub(in crate::task) fn built<'a>(self) -> &'a Ties {
        // SAFETY: as above; who is told looks at atomics and cells of the task's own turn.
        unsafe { self.0.as_ref() }
    }

    /// The ties, which nobody else knows any more.
    pub(in crate::task) fn end<'a>(mut self) -> &'a mut Ties {
        // SAFETY: by contract of the name: all that was waited for has been told.
        unsafe { self.0.as_mut() }
    }
}
