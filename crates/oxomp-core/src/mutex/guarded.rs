//! A value behind a lock, for what is not on a hot path and must survive fork(2).

use core::cell::UnsafeCell;

use super::RawLock;

/// A value that is reached with its lock held only.
#[derive(Debug)]
pub(crate) struct Guarded<T> {
    lock: RawLock,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached with the lock held only, by one thread at a time.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    pub(crate) const fn new(value: T) -> Self {
        Guarded { lock: RawLock::new(), value: UnsafeCell::new(value) }
    }

    /// Uses the value; `use_it` must not come back here.
    pub(crate) fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        self.lock.lock();
        // SAFETY: we hold the lock.
        let result = use_it(unsafe { &mut *self.value.get() });
        self.lock.unlock();
        result
    }

    /// In the child of a fork(2), if the lock was not held over it: a thread that is gone may have had
    /// it, half-way through a change. The old value is left as it is.
    pub(crate) fn forget(&self, value: T) {
        // SAFETY: the calling thread is the only one in the process.
        unsafe { core::mem::forget(core::mem::replace(&mut *self.value.get(), value)) };
        self.lock.reset();
    }

    /// Holds the lock over a fork(2), so that the child finds the value whole.
    pub(crate) fn hold(&self) {
        self.lock.lock();
    }

    /// Ends what `hold` began, in the parent and in the child.
    pub(crate) fn let_go(&self) {
        self.lock.unlock();
    }
}
