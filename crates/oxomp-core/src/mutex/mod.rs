//! Mutual exclusion: critical regions and the lock routines, all on one word each.
//!
//! A mutex is one word and nothing beside it: no queue, no table, no allocation. What it costs is a
//! compare-and-exchange and a swap; contended threads spin briefly, then sleep in the kernel.

pub mod atomic;
pub mod critical;
mod guarded;
pub mod lock;
pub mod nest_lock;
mod owner_word;
mod raw;
mod spin;

pub(crate) use guarded::Guarded;
pub(crate) use raw::RawLock;

use crate::arch::CallSite;
use crate::ompt::event::{EnterFrame, MutexKind, emit, is_active};
use crate::thread::Thread;

/// The enter frame of the current task while a mutex routine runs: set only if a tool is attached,
/// so that the routines do not look at the thread otherwise.
#[inline(always)]
fn inside(site: CallSite) -> Option<EnterFrame<'static>> {
    if is_active() { Some(EnterFrame::new(&Thread::current().task().ompt, site)) } else { None }
}

/// The wait of `acquire` as a tool sees it: the state, and what is waited for.
fn waiting<R>(kind: MutexKind, wait_id: u64, acquire: impl FnOnce() -> R) -> R {
    let Some(thread) = Thread::known() else { return acquire() };
    thread.ompt.wait_id.set(wait_id);
    let before = thread.set_state(kind.state());
    let result = acquire();
    thread.set_state(before);
    thread.ompt.wait_id.set(0);
    result
}

/// Takes `lock`, with the events around it.
#[inline(always)]
fn acquire(lock: &RawLock, kind: MutexKind, hint: u32, site: CallSite) {
    let _frame = inside(site);
    let wait_id = lock.wait_id();
    emit::mutex_acquire(kind, hint, wait_id, site);
    if !lock.try_lock() {
        acquire_contended(lock, kind, wait_id);
    }
    emit::mutex_acquired(kind, wait_id, site);
}

#[cold]
#[inline(never)]
fn acquire_contended(lock: &RawLock, kind: MutexKind, wait_id: u64) {
    waiting(kind, wait_id, || lock.lock_contended());
}

/// Gives `lock` back, with the event after it.
#[inline(always)]
fn release(lock: &RawLock, kind: MutexKind, site: CallSite) {
    let _frame = inside(site);
    let wait_id = lock.wait_id();
    lock.unlock();
    emit::mutex_released(kind, wait_id, site);
}
