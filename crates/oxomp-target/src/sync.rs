//! Locks whose data are valid whatever a thread that held them did: nothing here unwinds in a
//! program, since a panic ends the process.

use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use std::time::Instant;

/// Locks the mutex.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for reading.
pub(crate) fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for writing.
pub(crate) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// Waits on the condition variable while `holds`, or until the deadline if there is one.
pub(crate) fn wait_while<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Option<Instant>,
    holds: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    let Some(deadline) = deadline else {
        return changed.wait_while(guard, holds).unwrap_or_else(PoisonError::into_inner);
    };
    let longest = deadline.saturating_duration_since(Instant::now());
    let waited = changed.wait_timeout_while(guard, longest, holds);
    waited.unwrap_or_else(PoisonError::into_inner).0
}
