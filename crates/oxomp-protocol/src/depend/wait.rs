//! A task's link in the list of those that wait for the same.

use core::cell::Cell;
use core::ptr;

/// What a dependence of a task waits for: first a generation, and when that is over, if tasks of
/// its own generation exclude each other, its turn among them. It is in one list at a time.
#[derive(Debug)]
pub struct Wait<T> {
    pub(super) next: Cell<*const Wait<T>>,
    pub(super) waiter: *const T,
}

impl<T> Wait<T> {
    pub fn new(waiter: *const T) -> Self {
        Wait { next: Cell::new(ptr::null()), waiter }
    }

    /// The waiter that it was made for.
    pub fn waiter(&self) -> *const T {
        self.waiter
    }
}
