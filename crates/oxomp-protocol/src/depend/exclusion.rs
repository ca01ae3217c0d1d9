//! Mutual exclusion of the members of one generation (mutexinoutset): a lock whose waiters do not
//! wait in a thread, but are made ready when it is their turn.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::wait::Wait;
use crate::shim::AtomicPtr;

/// Null: nobody has it. Else it is held, and the word is the list of those who wait, which
/// ends with `HELD`.
#[derive(Debug)]
pub struct Exclusion<T>(AtomicPtr<Wait<T>>);

/// `HELD`: the word of an exclusion that a task has; in a list, behind the last that waits.
fn held<T>() -> *mut Wait<T> {
    ptr::without_provenance_mut(1)
}

impl<T> Exclusion<T> {
    pub fn new() -> Self {
        Exclusion(AtomicPtr::new(ptr::null_mut()))
    }

    /// Takes it, or has `turn` wait: whether it was taken.
    pub fn acquire(&self, turn: &Wait<T>) -> bool {
        // Relaxed, here and below: what is read is only put back.
        let mut word = self.0.load(Relaxed);
        loop {
            let new = if word.is_null() { held() } else { ptr::from_ref(turn).cast_mut() };
            turn.next.set(word);
            // AcqRel: the holder before has released what it did; the link is published.
            match self.0.compare_exchange_weak(word, new, AcqRel, Relaxed) {
                Ok(_) => return word.is_null(),
                Err(other) => word = other,
            }
        }
    }

    /// Gives it back: the turn that has it now, if one waited. Only the holder takes from the list,
    /// so its head may change under it only by another that comes to wait.
    pub fn release(&self) -> Option<*const Wait<T>> {
        // Acquire, here and below: the link of the first that waits.
        let mut word = self.0.load(Acquire);
        loop {
            let (new, next) = if word == held() {
                (ptr::null_mut(), None)
            } else {
                // SAFETY: a turn that waits stays where it is until it has been
                // taken from the list.
                (unsafe { (*word).next.get() }.cast_mut(), Some(word.cast_const()))
            };
            // Release: what the holder did is seen by the next.
            match self.0.compare_exchange_weak(word, new, Release, Acquire) {
                Ok(_) => return next,
                Err(other) => word = other,
            }
        }
    }
}
