//! A value behind a lock: for data that is not on a hot path and must survive fork(2).

use core::cell::UnsafeCell;

use super::owner_word::OwnerWord;

/// The owner of a lock that is held: such a lock does not ask who holds it.
const HOLDER: u32 = 1;

/// A value that is reached with its lock held only.
#[derive(Debug)]
pub struct Guarded<T> {
    lock: OwnerWord,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached with the lock held only, by one thread at a time.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    const_unless_model! {
        /// A value behind a free lock.
        pub fn new(value: T) -> Self {
            Guarded { lock: OwnerWord::new(), value: UnsafeCell::new(value) }
        }
    }

    /// Uses the value; `use_it` must not call `with` again.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        self.lock.own(HOLDER);
        // SAFETY: we hold the lock.
        let result = use_it(unsafe { &mut *self.value.get() });
        self.lock.give_up();
        result
    }

    /// In the child of a fork(2), if the lock was not held over it: replaces the value. A thread
    /// that is gone may have held the lock, half-way through a change, so the old value is left as
    /// it is.
    pub fn forget(&self, value: T) {
        // SAFETY: the calling thread is the only one in the process.
        unsafe { core::mem::forget(core::mem::replace(&mut *self.value.get(), value)) };
        self.lock.reset();
    }

    /// Holds the lock over a fork(2), so that the child finds the value whole.
    pub fn hold(&self) {
        self.lock.own(HOLDER);
    }

    /// Gives the lock back after `hold`, in the parent and in the child.
    pub fn let_go(&self) {
        self.lock.give_up();
    }
}
