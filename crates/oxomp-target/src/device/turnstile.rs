//! The turnstile before a device: one thread at a time makes the device ready, and tells the tool
//! so, while others wait.

use core::ops::ControlFlow;
use std::time::Instant;

use crate::sync::{Child, Condvar, Mutex, Visit, caller, lock, wait_while};

/// The turnstile. A thread that has passed it may come again: the tool's callbacks may use the
/// device.
#[derive(Debug, Default)]
pub(crate) struct Turnstile {
    /// The thread inside.
    inside: Mutex<Option<usize>>,
    left: Condvar,
}

/// The right to make the device ready; its drop lets the next thread in.
#[derive(Debug)]
pub(crate) struct Passage<'a>(&'a Turnstile);

impl Turnstile {
    /// Waits until no other thread is inside; `None` if the calling thread itself is inside.
    pub(crate) fn enter(&self) -> Option<Passage<'_>> {
        self.enter_by(None)
    }

    /// Waits until no other thread is inside; `None` if another thread is still inside at the
    /// deadline, or if the calling thread itself is.
    pub(crate) fn enter_before(&self, deadline: Instant) -> Option<Passage<'_>> {
        self.enter_by(Some(deadline))
    }

    fn enter_by(&self, deadline: Option<Instant>) -> Option<Passage<'_>> {
        let me = caller();
        let is_other = |inside: &mut Option<usize>| inside.is_some_and(|thread| thread != me);
        let mut inside = wait_while(&self.left, lock(&self.inside), deadline, is_other);
        if inside.is_some() {
            return None;
        }
        *inside = Some(me);
        Some(Passage(self))
    }

    /// Calls `visit` with the lock (`fork`).
    pub(crate) fn each_lock(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        visit(&self.inside)
    }

    /// In the child of a fork the calling thread is the only one: another one inside is gone.
    pub(crate) fn after_fork(&self, child: &Child) {
        if let Some(mut inside) = self.inside.after_fork(child, || None).guard() {
            inside.take_if(|thread| *thread != caller());
        }
    }
}

impl Drop for Passage<'_> {
    fn drop(&mut self) {
        *lock(&self.0.inside) = None;
        self.0.left.notify_all();
    }
}
