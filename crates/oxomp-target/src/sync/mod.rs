//! How threads meet: locks, condition variables, atomics and threads, the machine's, or, in the
//! models, loom's.
//!
//! The crate's protocols synchronize with the types of this module. Numbers that only have to
//! differ, and values that are found once in a process, use the machine's types in the models, too.
//!
//! The data behind a lock are always valid: no thread unwinds with a lock held, since a panic ends
//! the process.

#[cfg(not(all(test, feature = "model")))]
#[macro_use]
mod machine;
#[cfg(all(test, feature = "model"))]
#[macro_use]
mod model;
#[cfg(not(all(test, feature = "model")))]
mod forking;
#[cfg_attr(all(test, feature = "model"), expect(dead_code, reason = "models have no fork"))]
mod held;
#[cfg(not(all(test, feature = "model")))]
mod mutex;
#[cfg_attr(all(test, feature = "model"), expect(dead_code, reason = "models have no clock"))]
pub(crate) mod quiescence;
#[cfg(not(all(test, feature = "model")))]
mod thread;
mod thread_number;

use std::time::{Duration, Instant};

#[cfg(not(all(test, feature = "model")))]
use machine as these;
#[cfg(all(test, feature = "model"))]
use model as these;

pub(crate) use held::{AfterFork, Child, Held, Lock, Visit};
pub(crate) use these::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Condvar, Mutex,
    MutexGuard, PATIENCE, Thread, caller, fork_begins, fork_ends, fork_ends_in_child, yield_now,
};
pub(crate) use thread_number::thread_number;

/// Whether this is the build of the models.
pub(crate) const IS_MODEL: bool = cfg!(all(test, feature = "model"));

/// Locks the mutex. If another thread forks the process meanwhile, the caller waits for the fork
/// ([`quiescence`]).
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

/// Waits on the condition variable until it is woken; may return earlier.
pub(crate) fn wait<'a, T>(changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    these::wait(changed, guard)
}

/// Waits on the condition variable while `holds`, or until the deadline if there is one. In models,
/// which have no clock, a deadline has passed at the begin or never comes.
pub(crate) fn wait_while<'a, T>(
    changed: &Condvar,
    mut guard: MutexGuard<'a, T>,
    deadline: Option<Instant>,
    mut holds: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    while holds(&mut guard) {
        guard = match deadline.map(|it| it.saturating_duration_since(Instant::now())) {
            None => wait(changed, guard),
            Some(Duration::ZERO) => break,
            Some(left) => these::wait_for(changed, guard, left),
        };
    }
    guard
}
