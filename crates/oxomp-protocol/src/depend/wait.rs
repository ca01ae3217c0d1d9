//! A task's link in a list of tasks that wait for one generation or one exclusion.

use core::cell::Cell;
use core::ptr;

use crate::inside::{Inside, inside};

/// The wait of one dependence of a task: first for a generation, and then, if the tasks of the
/// task's own generation exclude each other, for its turn among them. It is in one list at a time.
#[derive(Debug)]
pub struct Wait<T> {
    pub(super) next: Cell<*const Wait<T>>,
    pub(super) waiter: *const T,
}

impl<T> Wait<T> {
    /// The next wait in the list; null at the end of a list of waits for a generation.
    pub const NEXT: Inside<Self, Cell<*const Wait<T>>> = inside!(next);
    /// The waiter.
    pub const WAITER: Inside<Self, *const T> = inside!(waiter);

    /// A wait in no list; it leads to `waiter` when the wait is over.
    pub fn new(waiter: *const T) -> Self {
        Wait { next: Cell::new(ptr::null()), waiter }
    }

    /// The waiter that the wait was made for.
    #[inline]
    pub fn waiter(&self) -> *const T {
        self.waiter
    }
}
