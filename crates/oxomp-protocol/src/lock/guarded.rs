//! A value behind a lock: for data that is not on a hot path.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use super::owner_word::OwnerWord;
use crate::Alone;

/// The owner of every lock that is held: the word need not identify the holder.
const HOLDER: u32 = 1;

/// A value that only the holder of its lock reaches.
///
/// No lock is held over a fork(2), so a thread that is gone may hold it in the child: each
/// `Guarded` is forgotten there, in the file that declares it (`cargo xtask layering` checks that).
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

    /// In the child of a fork(2): frees the lock and replaces the value. A thread that is gone may
    /// have held the lock in the middle of a change, so the old value is not dropped: its bytes are
    /// the result.
    pub fn forget(&self, value: T, _: &Alone) -> MaybeUninit<T> {
        // SAFETY: the calling thread is the only one in the process; as `MaybeUninit` both values
        // may have any bytes.
        let old = unsafe {
            let place = self.value.get().cast::<MaybeUninit<T>>();
            core::mem::replace(&mut *place, MaybeUninit::new(value))
        };
        self.lock.reset();
        old
    }
}
