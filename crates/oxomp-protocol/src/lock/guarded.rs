//! A value behind a lock: for data that is not on a hot path and must survive fork(2).

use core::cell::UnsafeCell;

use super::owner_word::OwnerWord;
use crate::Alone;

/// The owner of every lock that is held: the word need not identify the holder.
const HOLDER: u32 = 1;

/// A value that only the holder of its lock reaches.
#[derive(Debug)]
pub struct Guarded<T> {
    lock: OwnerWord,
    value: UnsafeCell<T>,
}

// SAFETY: only the holder of the lock reaches the value, one thread at a time.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    const_unless_model! {
        /// A value behind a free lock.
        pub fn new(value: T) -> Self {
            Guarded { lock: OwnerWord::new(), value: UnsafeCell::new(value) }
        }
    }

    /// Calls `use_it` on the value with the lock held; `use_it` must not call `with` on it again.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        self.lock.own(HOLDER);
        // SAFETY: we hold the lock.
        let result = use_it(unsafe { &mut *self.value.get() });
        self.lock.give_up();
        result
    }

    /// In the child of a fork(2), if the lock was not held over it: replaces the value. A thread
    /// that is gone may have held the lock in the middle of a change, so the old value is leaked,
    /// not dropped.
    pub fn forget(&self, value: T, _: &Alone) {
        // SAFETY: the calling thread is the only one in the process.
        unsafe { core::mem::forget(core::mem::replace(&mut *self.value.get(), value)) };
        self.lock.reset();
    }

    /// Holds the lock over a fork(2), so that the child finds the value whole.
    pub fn hold(&self) {
        self.lock.own(HOLDER);
    }

    /// Releases the lock after `hold`, in the parent and in the child.
    pub fn let_go(&self) {
        self.lock.give_up();
    }
}
