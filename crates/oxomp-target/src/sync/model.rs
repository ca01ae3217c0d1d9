//! The machine of the models: loom's locks, atomics and threads. Every interleaving of a model has
//! statics and thread-locals of its own.

pub(crate) use loom::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
};
pub(crate) use loom::sync::{Condvar, MutexGuard};
pub(crate) use loom::thread::yield_now;

use core::time::Duration;
use std::sync::PoisonError;
use std::time::Instant;

use super::{AfterFork, Child, Held, Lock};

/// A value that only the holder of its lock reaches.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

impl<T> Mutex<T> {
    /// A value behind a free lock.
    pub(crate) fn new(value: T) -> Self {
        Self(loom::sync::Mutex::new(value))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks if no thread holds the lock.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock().ok()
    }

    /// Models have no fork.
    pub(crate) fn after_fork(
        &self,
        _: &Child,
        _make: impl FnOnce() -> T,
    ) -> AfterFork<MutexGuard<'_, T>> {
        AfterFork::Whole(self.lock())
    }
}

/// Models have no fork.
impl<T> Lock for Mutex<T> {
    fn hold(&self, _deadline: Instant) -> Held {
        Held::Never
    }

    fn release(&self) {}
}

/// Waits on the condition variable until it is woken.
pub(crate) fn wait<'a, T>(changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// As `wait`, for so long.
pub(crate) fn wait_for<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    time: Duration,
) -> MutexGuard<'a, T> {
    changed.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner).0
}

/// Models have no fork.
pub(crate) const PATIENCE: Duration = Duration::ZERO;

/// Models have no fork.
pub(crate) fn fork_begins(_begins: bool) {}

/// Models have no fork.
pub(crate) fn fork_ends() {}

/// Models have no fork.
pub(crate) fn fork_ends_in_child() -> bool {
    false
}

/// A thread; dropped, it is detached.
#[derive(Debug)]
pub(crate) struct Thread(loom::thread::JoinHandle<()>);

impl Thread {
    /// A thread that does `run`.
    pub(crate) fn spawn(run: fn(), _at_exit: fn()) -> Option<Self> {
        Some(Self(loom::thread::spawn(run)))
    }

    /// Models have no fork.
    pub(crate) fn forget_end() {}

    /// Waits for the end of the thread.
    pub(crate) fn join(self) {
        self.0.join().expect("the thread does not panic");
    }
}

/// The calling thread, as a number that no other thread of the model has.
pub(crate) fn caller() -> usize {
    super::thread_number() as usize
}

/// A function that makes an atomic: loom's cannot be made in a constant.
macro_rules! const_unless_model {
    ($(#[$meta:meta])* $visibility:vis fn $($rest:tt)*) => {
        $(#[$meta])* $visibility fn $($rest)*
    };
}

/// An array of values that are made in the same way.
macro_rules! repeated {
    [$value:expr; $count:expr] => { core::array::from_fn::<_, $count, _>(|_| $value) };
}

/// Statics by which threads meet.
macro_rules! statics {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        loom::lazy_static! { $($(#[$meta])* static ref $name: $type = $value;)* }
    };
}

/// Statics of which each thread has its own.
macro_rules! statics_of_threads {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        loom::thread_local! { $($(#[$meta])* static $name: $type = $value;)* }
    };
}
