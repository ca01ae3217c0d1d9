//! Memory that returns to the thread that made it: lists of free entries, and the batch of entries
//! that a thread collects for another.

use core::cell::Cell;
use core::ptr;

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_protocol::Alone;
use oxomp_protocol::task::{Linked, Returned};

/// Entries that a thread collects before it returns them to the thread that made them, by one
/// contended exchange for all of them (`task_spread`).
const BATCH: u32 = 16;

/// An entry that returns to the thread that made it, and is never freed.
pub(in crate::task) trait Homing: Linked {
    /// The stack of that thread to which other threads push; `None` for an entry that no thread
    /// made.
    fn home(&self) -> Option<&'static Returned<Self>>;
}

/// A list of free entries, linked by `Linked::link`.
#[derive(Debug)]
#[repr(transparent)]
pub(in crate::task::state) struct List<T: 'static>(Cell<Option<&'static T>>);

impl<T> Readable for List<T> {
    const KIND: Kind = Kind::Pointer;
}

impl<T> List<T> {
    pub(in crate::task::state) const fn new() -> Self {
        List(Cell::new(None))
    }

    /// In the child of a fork(2), for a thread that is gone: drops the list.
    pub(in crate::task::state) fn forget(&self, _: &Alone) {
        self.0.set(None);
    }
}

impl<T: Linked> List<T> {
    #[inline(always)]
    pub(in crate::task::state) fn push(&self, entry: &'static T) {
        entry.link().set(self.0.get());
        self.0.set(Some(entry));
    }

    #[inline(always)]
    pub(in crate::task::state) fn pop(&self) -> Option<&'static T> {
        let entry = self.0.get()?;
        self.0.set(entry.link().get());
        Some(entry)
    }
}

/// Entries of one other thread that are to be returned to it, with the last of them and their
/// number.
#[derive(Debug)]
pub(in crate::task::state) struct Outgoing<T: 'static> {
    pub(in crate::task::state) list: List<T>,
    last: Cell<Option<&'static T>>,
    count: Cell<u32>,
}

impl<T> Outgoing<T> {
    pub(in crate::task::state) const fn new() -> Self {
        Outgoing { list: List::new(), last: Cell::new(None), count: Cell::new(0) }
    }

    /// In the child of a fork(2), for a thread that is gone: drops the entries.
    pub(in crate::task::state) fn forget(&self, alone: &Alone) {
        self.list.forget(alone);
        self.last.set(None);
        self.count.set(0);
    }
}

impl<T: Homing> Outgoing<T> {
    /// Collects an entry that another thread made.
    pub(in crate::task::state) fn send(&self, entry: &'static T) {
        let home = |entry: &T| entry.home().map(ptr::from_ref);
        if let Some(first) = self.list.0.get()
            && (home(first) != home(entry) || self.count.get() == BATCH)
        {
            self.flush();
        }
        if self.count.get() == 0 {
            self.last.set(Some(entry));
        }
        self.list.push(entry);
        self.count.set(self.count.get() + 1);
    }

    fn flush(&self) {
        if let (Some(first), Some(last)) = (self.list.0.take(), self.last.take()) {
            give_back(first, last);
        }
        self.count.set(0);
    }
}

/// Returns the entries linked from `first` to `last` to the thread that made them.
pub(in crate::task::state) fn give_back<T: Homing>(first: &'static T, last: &'static T) {
    if let Some(home) = first.home() {
        // SAFETY: the calling thread frees these entries, so it owns them. Blocks of tasks and
        // nodes of dependences are made to pass from one thread to another.
        unsafe { home.give_back(first, last) };
    }
}
