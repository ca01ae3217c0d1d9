//! The machine's lock: one of std's that keeps the quiet in which the process forks, and that the
//! child of fork(2) can make anew.

use core::cell::{Cell, UnsafeCell};
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use oxomp_protocol::Alone;

use super::caller;
use super::quiet::{Manners, Quiet};

/// How long the forking thread waits for the others, and they for it. Many times what a fork of a
/// large process takes; and if a handler of another library waits for one of them, what that costs.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// How long a thread sleeps between two looks.
const NAP: Duration = Duration::from_micros(100);

static QUIET: Quiet = Quiet::new();

std::thread_local! {
    /// Whether the calling thread forks the process.
    static IS_FORKING: Cell<bool> = const { Cell::new(false) };
}

/// A value that only the holder of its lock reaches.
#[derive(Debug)]
pub(crate) struct Mutex<T> {
    /// The thread that holds the lock; 0 while none does, or while one takes it or gives it up.
    holder: AtomicUsize,
    of_std: UnsafeCell<std::sync::Mutex<T>>,
}

// SAFETY: threads share std's lock, as it allows. `after_fork`, where no other thread is, replaces
// it.
unsafe impl<T: Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    /// A value behind a free lock.
    pub(crate) const fn new(value: T) -> Self {
        Self { holder: AtomicUsize::new(0), of_std: UnsafeCell::new(std::sync::Mutex::new(value)) }
    }

    fn of_std(&self) -> &std::sync::Mutex<T> {
        // SAFETY: only `after_fork` writes to the place.
        unsafe { &*self.of_std.get() }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        let lock = || self.of_std().lock().unwrap_or_else(PoisonError::into_inner);
        MutexGuard::new(self, QUIET.outside(lock, waiting()))
    }

    /// Locks, whether or not threads keep the quiet, if no thread holds the lock.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let guard = match self.of_std().try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(MutexGuard::new(self, guard))
    }

    /// In the child of fork(2), of which the calling thread is the only one: if another thread held
    /// the lock, in the middle of a change, the lock is free now, and has the value of `make`.
    /// Returns whether the value is whole.
    pub(crate) fn after_fork(&self, make: impl FnOnce() -> T, _: &Alone) -> bool {
        // Relaxed: the calling thread wrote its own number, if it is there. It forks in a handler
        // of a signal then, and goes on with the change.
        if self.holder.load(Relaxed) == caller() || self.try_lock().is_some() {
            return true;
        }
        // SAFETY: no other thread is there to use the lock, and the calling one has no guard of it.
        // The old value, which is not whole, is not dropped.
        unsafe { self.of_std.get().write(std::sync::Mutex::new(make())) };
        false
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// The value of a lock that the calling thread holds.
#[derive(Debug)]
pub(crate) struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    of_std: ManuallyDrop<std::sync::MutexGuard<'a, T>>,
}

impl<'a, T> MutexGuard<'a, T> {
    fn new(mutex: &'a Mutex<T>, of_std: std::sync::MutexGuard<'a, T>) -> Self {
        mutex.holder.store(caller(), Relaxed);
        Self { mutex, of_std: ManuallyDrop::new(of_std) }
    }

    /// Gives the lock up for what std does with its guard, and takes it again.
    fn during(
        self,
        wait: impl FnOnce(std::sync::MutexGuard<'a, T>) -> std::sync::MutexGuard<'a, T>,
    ) -> Self {
        let mut this = ManuallyDrop::new(self);
        let mutex = this.mutex;
        mutex.holder.store(0, Relaxed);
        // SAFETY: nobody uses the guard, which is not dropped, afterwards.
        let of_std = wait(unsafe { ManuallyDrop::take(&mut this.of_std) });
        if QUIET.is_kept() {
            drop(of_std);
            return mutex.lock();
        }
        Self::new(mutex, of_std)
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.mutex.holder.store(0, Relaxed);
        // SAFETY: nobody uses the guard afterwards.
        unsafe { ManuallyDrop::drop(&mut self.of_std) };
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.of_std
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.of_std
    }
}

/// Waits on the condition variable until it is woken; may return earlier.
pub(crate) fn wait<'a, T>(changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    guard.during(|guard| changed.wait(guard).unwrap_or_else(PoisonError::into_inner))
}

/// As `wait`, for so long.
pub(crate) fn wait_for<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    time: Duration,
) -> MutexGuard<'a, T> {
    guard
        .during(|guard| changed.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner).0)
}

/// What a thread does while the quiet is kept.
fn waiting() -> impl FnMut() -> Manners {
    let mut deadline = None;
    move || {
        if IS_FORKING.get() {
            return Manners::Enter;
        }
        if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + PATIENCE) {
            QUIET.let_go();
        } else {
            thread::sleep(NAP);
        }
        Manners::Look
    }
}

/// The calling thread, which holds all locks, is about to fork the process.
pub(crate) fn begin_quiet() {
    IS_FORKING.set(true);
    QUIET.begin();
}

/// The process has forked, or could not.
pub(crate) fn end_quiet() {
    if IS_FORKING.replace(false) {
        QUIET.end();
    }
}

/// In the child of a fork(2) no thread waits.
pub(crate) fn forget_quiet() {
    IS_FORKING.set(false);
    QUIET.forget();
}
