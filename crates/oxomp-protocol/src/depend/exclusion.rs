//! Mutual exclusion of the members of one generation: a lock whose waiters block no thread, but are
//! made ready when it is their turn. Steps and argument: README.md beside this file.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::wait::Wait;
use crate::inside::{Inside, inside};
use crate::shim::AtomicPtr;

/// A lock of tasks. Null: no task holds it. Any other value: a task holds it, and the word is the
/// list of the waits for it, which ends with `HELD`.
#[derive(Debug)]
pub struct Exclusion<T>(AtomicPtr<Wait<T>>);

/// `HELD`: the word of an exclusion that a task holds while no other waits, and the end of a list.
fn held<T>() -> *mut Wait<T> {
    ptr::without_provenance_mut(1)
}

impl<T> Exclusion<T> {
    /// The first wait for a turn; null if no task holds the exclusion, and 1 at the end of the
    /// list.
    pub const WAITING: Inside<Self, AtomicPtr<Wait<T>>> = inside!(0);

    /// An exclusion that no task holds.
    pub fn new() -> Self {
        Exclusion(AtomicPtr::new(ptr::null_mut()))
    }

    /// Takes the exclusion, or links `turn` into the list of waits. Returns whether it was taken.
    ///
    /// # Safety
    /// The turn is in no list, and the calling thread owns it. If it is linked, it stays where it
    /// is until `release` returns it, and no thread uses it before.
    pub(super) unsafe fn acquire(&self, turn: &Wait<T>) -> bool {
        // Relaxed, here and below: the value that is read is only written back.
        let mut word = self.0.load(Relaxed);
        loop {
            let new = if word.is_null() { held() } else { ptr::from_ref(turn).cast_mut() };
            turn.next.set(word);
            // AcqRel: acquires what the previous holder released; publishes the link.
            match self.0.compare_exchange_weak(word, new, AcqRel, Relaxed) {
                Ok(_) => return word.is_null(),
                Err(other) => word = other,
            }
        }
    }

    /// Releases the exclusion. Returns the turn that holds it now, if one waited. Only the holder
    /// pops from the list, so the head changes meanwhile only by a push.
    ///
    /// # Safety
    /// The task for which the thread calls this holds the exclusion: `acquire` took it, or
    /// `release` returned the task's turn. The task releases it once.
    pub(super) unsafe fn release(&self) -> Option<*const Wait<T>> {
        // Acquire, here and below: the link of the first turn that waits.
        let mut word = self.0.load(Acquire);
        loop {
            let (new, next) = if word == held() {
                (ptr::null_mut(), None)
            } else {
                // SAFETY: as the exclusion is held, the word is not null, but a turn that waits. It
                // stays where it is until it has been taken from the list (`acquire`), which only
                // this thread does.
                (unsafe { (*word).next.get() }.cast_mut(), Some(word.cast_const()))
            };
            // Release: the next holder sees what this one did.
            match self.0.compare_exchange_weak(word, new, Release, Acquire) {
                Ok(_) => return next,
                Err(other) => word = other,
            }
        }
    }
}
