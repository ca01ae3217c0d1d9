//! The dependences of a task: the generations that it belongs to, and those that it waits for.

use core::cell::Cell;
use core::mem::offset_of;
use core::ptr::NonNull;
use std::sync::Arc;

use oxomp_base::inside::inside;
use oxomp_ompd_layout::{Field, Kind, Object, Readable, Record, fields};
use oxomp_protocol::Alone;
use oxomp_protocol::depend::{Exclusion, TakesTurns, Wait, WaitCount};

use super::link::Link;
use super::source::Source;
use super::tie_list::TieList;
use crate::task::Task;

/// One dependence of a task.
#[derive(Debug)]
pub(in crate::task) struct Tie {
    pub(in crate::task) wait: Wait<Ties>,
    /// The generation that the task is a member of.
    pub(in crate::task) member: Option<Link>,
}

/// The dependences of a task, or of a thread that waits until a task with these dependences could
/// run.
///
/// `waiting` counts the generations that the task waits for. The thread that brings it to zero
/// makes the task ready; if there is no task, the waiting thread polls the count.
///
/// The ties belong to the block of the task and stay with it, so that their memory returns to the
/// generating thread, whichever thread executes the task. They fill one cache line, and other
/// threads access no other line of them.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Ties {
    pub(in crate::task) waiting: WaitCount,
    pub(in crate::task) task: Cell<Option<&'static Task>>,
    pub(in crate::task) ties: TieList<Tie>,
    /// The record of this task for events of its successors, while a tool listens to dependences.
    pub(in crate::task) source: Option<Arc<Source>>,
}

impl Task {
    /// In the child of a fork(2), for a task that this thread executes or has suspended: gives up
    /// the record for events, since a thread that is gone may have been using it. So the next task
    /// in the block gets a record of its own.
    pub(in crate::task) fn leave_source(&self, _: &Alone) {
        // SAFETY: null, or from a box that is never freed; this thread is the only one.
        if let Some(ties) = unsafe { self.ties.get().as_mut() } {
            core::mem::forget(ties.source.take());
        }
    }
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Ties {
    task => TiesTask,
    ties.length => TiesLength,
    ties.elsewhere => TiesElsewhere,
    ties.inline => TiesInline,
});

impl Readable for Tie {
    const KIND: Kind = Kind::Structure;
}

/// The fields that a debugger reads of a tie.
pub(crate) const TIE_FIELDS: &[Record] = fields!(Tie {
    member => TieGeneration,
});

/// The fields that a debugger reads of the protocols' types in ties.
pub(crate) const WAIT_FIELDS: &[Record] = &[
    inside(
        Field::TiesWaiting,
        offset_of!(Ties, waiting),
        |ties: &Ties| &ties.waiting,
        &WaitCount::WORD,
    ),
    Record::whole(Object::DependenceWait, size_of::<Wait<Ties>>()),
    inside(Field::DependenceWaitNext, 0, |wait: &Wait<Ties>| wait, &Wait::NEXT),
    inside(Field::DependenceWaitTies, 0, |wait: &Wait<Ties>| wait, &Wait::WAITER),
];

const _: () = assert!(size_of::<Ties>() == 64);

// SAFETY: the list has the dependences in the order of their locations, which is the same for all
// tasks, and the address of a wait identifies its place in the list.
unsafe impl TakesTurns for Ties {
    #[inline(always)]
    fn turns_from(&self, first: usize) -> impl Iterator<Item = (&Exclusion<Self>, &Wait<Self>)> {
        self.ties.as_slice()[first..].iter().filter_map(|tie| {
            let node = tie.member.as_ref()?.node();
            node.is_exclusive.get().then_some((&node.exclusion, &tie.wait))
        })
    }

    #[inline(always)]
    fn number_of(&self, turn: *const Wait<Self>) -> usize {
        (turn.addr() - self.ties.as_ptr().addr()) / size_of::<Tie>()
    }
}

/// Ties to which the generating thread still adds. Other threads may already use those that are
/// there, so no reference to the whole is ever made.
#[derive(Debug)]
pub(in crate::task) struct Building(NonNull<Ties>);

impl Building {
    /// Begins the ties of the task in `block`, with room for `count` dependences. If there
    /// `is_no_task`, they belong to a thread that waits, with no task to make ready.
    pub(in crate::task) fn begin(block: &'static Task, is_no_task: bool, count: usize) -> Self {
        if block.ties.get().is_null() {
            block.ties.set(Box::into_raw(Box::new(Ties {
                waiting: WaitCount::new(),
                task: Cell::new(None),
                ties: TieList::new(),
                source: None,
            })));
        }
        // SAFETY: the pointer comes from a box that is never freed, and only this thread knows the
        // block's ties.
        let ties = unsafe { &mut *block.ties.get() };
        // The generations' lists point to the elements, which therefore must not move.
        ties.ties.reserve(count);
        ties.task.set((!is_no_task).then_some(block));
        ties.waiting.begin(count as u32);
        Building(NonNull::from(ties))
    }

    /// Adds a dependence and returns its wait, which other threads may complete as soon as a
    /// generation lists it.
    pub(in crate::task) fn add(&mut self, member: Option<Link>) -> &Wait<Ties> {
        let waiter = self.0.as_ptr().cast_const();
        // SAFETY: `begin` reserved the capacity, so there is room and no element moves. Only this
        // thread accesses the list itself, and no other thread knows the new element, which stays
        // until the ties are recycled.
        unsafe {
            let list = &mut (*self.0.as_ptr()).ties;
            &(*list.push(Tie { wait: Wait::new(waiter), member })).wait
        }
    }

    /// The address of the task's record for events of its successors.
    pub(in crate::task) fn source(&self) -> *mut Option<Arc<Source>> {
        // SAFETY: the ties are never freed; this makes no reference.
        unsafe { &raw mut (*self.0.as_ptr()).source }
    }

    /// Ends the placing of waits: there are `waits` of the `expected` ones. Returns whether none is
    /// left.
    #[inline(always)]
    pub(in crate::task) fn forgo(&self, expected: usize, waits: usize) -> bool {
        // SAFETY: the ties are in use until `waiting` is zero, which needs the wait that stands for
        // this thread.
        unsafe { &(*self.0.as_ptr()).waiting }.forgo(expected as u32, waits as u32)
    }

    /// The ties, complete: the thread adds no more.
    pub(in crate::task) fn built(&self) -> &Ties {
        // SAFETY: the ties are never freed, and no thread changes the list any more. A thread
        // that completes a wait accesses atomics, and cells only in the task's turn.
        unsafe { self.0.as_ref() }
    }

    /// Ends the ties, which no other thread knows any more.
    pub(in crate::task) fn end(mut self) {
        // SAFETY: all waits are complete, so no generation lists the ties and only this thread uses
        // them.
        unsafe { self.0.as_mut() }.ties.drain(drop);
    }
}
