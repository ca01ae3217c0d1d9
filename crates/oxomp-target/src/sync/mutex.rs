//! The machine's lock, whose word names its owner: so the child of fork(2) sees which locks a
//! thread that is gone has held, and can make them anew.

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use std::thread;
use std::time::{Duration, Instant};

use oxomp_protocol::lock::{Condition, Moment, OwnerWord};

use super::forking::{self, NAP};
use super::{AfterFork, Child, Held, Lock, thread_number};

/// A bit of the owner's number: the thread holds the lock only to fork the process.
const FORKING: u32 = 1 << 30;

/// The calling thread as owner of a lock: from 1 on, and below `FORKING`.
fn me() -> u32 {
    (thread_number() % FORKING).max(1)
}

/// A value that only the holder of its lock reaches.
pub(crate) struct Mutex<T> {
    word: OwnerWord,
    value: UnsafeCell<T>,
}

// SAFETY: only the holder of the lock reaches the value, one thread at a time; in `after_fork` no
// other thread uses it (`Child`).
unsafe impl<T: Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    /// A value behind a free lock.
    pub(crate) const fn new(value: T) -> Self {
        Self { word: OwnerWord::new(), value: UnsafeCell::new(value) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        forking::outside(|| {
            self.word.own(me());
            self.held()
        })
    }

    /// Locks if no thread holds the lock; for the child of a fork.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.word.try_own(me()).then(|| self.held())
    }

    /// The caller holds the lock, and has no guard.
    fn held(&self) -> MutexGuard<'_, T> {
        MutexGuard { mutex: self, of_thread: PhantomData }
    }

    /// In the child of fork(2): takes the lock, which a thread that is gone may have held. If that
    /// thread may have been in the middle of a change, the value becomes the result of `make`, and
    /// the old value is not dropped.
    pub(crate) fn after_fork(
        &self,
        child: &Child,
        make: impl FnOnce() -> T,
    ) -> AfterFork<MutexGuard<'_, T>> {
        let owner = self.word.owner();
        if owner & !FORKING == me() {
            return AfterFork::Held;
        }
        let is_whole = child.is_quiescent || owner == 0 || owner & FORKING != 0;
        if !is_whole {
            // SAFETY: no other thread uses the value, and this thread holds no guard of it:
            // otherwise its number would be in the word.
            unsafe { self.value.get().write(make()) };
        }
        self.word.reset();
        self.word.own(me());
        if is_whole { AfterFork::Whole(self.held()) } else { AfterFork::Remade(self.held()) }
    }
}

impl<T> Lock for Mutex<T> {
    fn hold(&self, deadline: Instant) -> Held {
        let me = me();
        loop {
            if self.word.try_own(me | FORKING) {
                return Held::Now;
            }
            if self.word.owner() & !FORKING == me {
                return Held::Before;
            }
            if Instant::now() > deadline {
                return Held::Never;
            }
            thread::sleep(NAP);
        }
    }

    fn release(&self) {
        // If the thread has held the lock before the fork, its own guard frees it.
        if self.word.is_owned_by(me() | FORKING) {
            self.word.give_up();
        }
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> fmt::Debug for Mutex<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Mutex").field("word", &self.word).finish_non_exhaustive()
    }
}

/// The value of a lock that the calling thread holds.
#[derive(Debug)]
pub(crate) struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    /// The word names the thread that has taken the lock, and that frees it.
    of_thread: PhantomData<*mut ()>,
}

// SAFETY: threads that share the guard read the value.
unsafe impl<T: Sync> Sync for MutexGuard<'_, T> {}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.mutex.word.give_up();
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard's thread holds the lock.
        unsafe { &*self.mutex.value.get() }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`; a thread has one guard.
        unsafe { &mut *self.mutex.value.get() }
    }
}

/// A condition that changes under a lock, and for which threads wait.
#[derive(Debug, Default)]
pub(crate) struct Condvar(Condition);

impl Condvar {
    /// Nothing has changed yet.
    pub(crate) const fn new() -> Self {
        Self(Condition::new())
    }

    /// Wakes all threads that wait, after a change under the lock.
    pub(crate) fn notify_all(&self) {
        self.0.wake_all();
    }
}

/// Waits on the condition variable until it is woken; may return earlier.
pub(crate) fn wait<'a, T>(changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    sleep(changed, guard, |moment| changed.0.sleep(moment))
}

/// As `wait`, for so long.
pub(crate) fn wait_for<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    time: Duration,
) -> MutexGuard<'a, T> {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    sleep(changed, guard, |moment| changed.0.sleep_for(moment, nanoseconds))
}

fn sleep<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    sleep: impl FnOnce(Moment),
) -> MutexGuard<'a, T> {
    let (mutex, moment) = (guard.mutex, changed.0.moment());
    drop(guard);
    sleep(moment);
    mutex.lock()
}
