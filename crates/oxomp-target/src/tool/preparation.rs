//! The turnstile before a device: one thread at a time makes it ready, and tells the tool of that,
//! while others wait.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use crate::sync::lock;

/// The turnstile. A thread that has passed it may come again: the tool's callbacks may use the
/// device.
#[derive(Debug, Default)]
pub(crate) struct Turnstile {
    inside: Mutex<Option<ThreadId>>,
    left: Condvar,
}

/// The right to make the device ready; its drop lets the next thread in.
#[derive(Debug)]
pub(crate) struct Passage<'a>(&'a Turnstile);

impl Turnstile {
    /// Waits until no other thread is inside; none if the calling thread itself is.
    pub(crate) fn enter(&self) -> Option<Passage<'_>> {
        let me = thread::current().id();
        let mut inside = lock(&self.inside);
        while inside.is_some_and(|thread| thread != me) {
            inside = self.left.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
        if inside.is_some() {
            return None;
        }
        *inside = Some(me);
        Some(Passage(self))
    }
}

impl Drop for Passage<'_> {
    fn drop(&mut self) {
        *lock(&self.0.inside) = None;
        self.0.left.notify_all();
    }
}
