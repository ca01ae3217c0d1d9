//! Mutual exclusion: critical regions and the lock routines, each with one word.
//!
//! A mutex is one word, without a queue or an allocation. Taking it costs a compare-exchange,
//! releasing it a store and a look for sleepers; contending threads spin briefly, then sleep in the
//! kernel.
//! README.md in this folder has the meaning of the owner; that of `oxomp_protocol::lock` has the
//! states, the race, and the reason why no wake-up is lost.

pub mod atomic;
pub mod critical;
pub mod lock;
pub mod nest_lock;
mod raw;

use oxomp_base::diag;
use oxomp_protocol::lock::{DESTROYED, OwnerWord};

pub(crate) use raw::{Holder, RawLock};

use oxomp_arch::CallSite;

use crate::block::{Alone, Thread};
use crate::ompt::event::{Audience, EnterFrame, MutexKind, Released, emit, for_events};

/// In the child of a fork(2): frees the mutexes that the runtime itself takes for reductions and
/// atomic constructs, if a thread that is gone held them.
pub(crate) fn after_fork_in_child(alone: &Alone) {
    raw::forget_holders_and_sleepers(alone);
    atomic::forget(alone);
}

/// Sets the enter frame of the current task while a mutex routine runs. Without a listener the
/// routine does not access the thread.
#[inline(always)]
fn enter(audience: impl Audience, site: CallSite) -> Option<EnterFrame<'static>> {
    audience.is_listening().then(|| audience.enter(&Thread::current().task().ompt, site))
}

/// Runs the wait of `acquire` with the state, the wait id and the enter frame that a tool or a
/// debugger sees, and emits the wait's begin. A thread of the program that has not met OpenMP yet
/// becomes known here, so that a debugger can show a deadlock in which it takes part.
fn waiting<R>(
    (kind, hint, wait_id): (MutexKind, u32, u64),
    site: CallSite,
    acquire: impl FnOnce() -> R,
) -> R {
    let thread = Thread::current();
    let _frame = EnterFrame::new(&thread.task().ompt, site);
    thread.ompt.wait_for(kind, wait_id, || {
        emit::mutex_wait(kind, hint, wait_id, site);
        acquire()
    })
}

/// Takes `lock`, with the events around it. Each construct chooses the audience itself: so its
/// listened instance knows the kind.
#[inline(always)]
fn acquire(audience: impl Audience, lock: &RawLock, kind: MutexKind, hint: u32, site: CallSite) {
    if !audience.is_listening() {
        let holder = Holder::at(site);
        if !lock.try_lock(holder) {
            acquire_contended(lock, kind, holder, site.undescribed(), hint);
        }
    } else if !acquire_unreported(lock, site) {
        acquire_reported(audience, lock, kind, hint, site);
    }
}

/// Takes `lock` without events, if it is free and the tool wants to hear of no event now.
#[inline(always)]
fn acquire_unreported(lock: &RawLock, site: CallSite) -> bool {
    Thread::known().is_some_and(|thread| {
        let take = || lock.try_lock(Holder::at(site));
        thread.ompt.acquire_unreported(lock.wait_id(), site, take)
    })
}

/// Takes `lock` with events. Apart, so that an acquisition without events saves no registers.
#[inline(never)]
fn acquire_reported(
    audience: impl Audience,
    lock: &RawLock,
    kind: MutexKind,
    hint: u32,
    site: CallSite,
) {
    let _frame = enter(audience, site);
    let wait_id = lock.wait_id();
    audience.mutex_acquire(kind, hint, wait_id, site);
    let holder = Holder::at(site);
    if !lock.try_lock(holder) {
        acquire_contended(lock, kind, holder, site.undescribed(), hint);
    }
    audience.mutex_acquired(kind, wait_id, site);
}

/// The slow path of `acquire`. Its first arguments are in the order in which they cost the fast
/// path no move (`__kmpc_critical`).
#[cold]
#[inline(never)]
fn acquire_contended(lock: &RawLock, kind: MutexKind, holder: Holder, site: CallSite, hint: u32) {
    waiting((kind, hint, lock.wait_id()), site, || lock.lock_contended(holder, kind));
}

/// Releases `lock`, with the event after it.
#[inline(always)]
fn release(lock: &RawLock, kind: MutexKind, site: CallSite) {
    for_events!(|audience| release_for(audience, lock, kind, site));
}

#[inline(always)]
fn release_for(audience: impl Audience, lock: &RawLock, kind: MutexKind, site: CallSite) {
    if !audience.is_listening() {
        if !lock.unlock() {
            released_by_none(kind);
        }
        return;
    }
    let unreported = Thread::known()
        .and_then(|thread| thread.ompt.release_unreported(lock.wait_id(), || lock.unlock()));
    match unreported {
        Some(Released { was_held: true, is_wanted: false }) => {}
        Some(released) => tell_release(audience, released, lock, kind, site),
        None => release_reported(audience, lock, kind, site),
    }
}

/// Releases `lock` with its event. Apart, as `acquire_reported`.
#[inline(never)]
fn release_reported(audience: impl Audience, lock: &RawLock, kind: MutexKind, site: CallSite) {
    let _frame = enter(audience, site);
    let wait_id = lock.wait_id();
    if !lock.unlock() {
        released_by_none(kind);
    }
    audience.mutex_released(kind, wait_id, site);
}

/// After the release of `lock`, which the thread had taken without an event: reports a mistake of
/// the program, and the release if another thread wants to know of it.
#[cold]
#[inline(never)]
fn tell_release(
    audience: impl Audience,
    released: Released,
    lock: &RawLock,
    kind: MutexKind,
    site: CallSite,
) {
    if !released.was_held {
        released_by_none(kind);
    }
    if released.is_wanted {
        let _frame = enter(audience, site);
        audience.mutex_released(kind, lock.wait_id(), site);
        if let Some(thread) = Thread::known() {
            thread.ompt.end_report();
        }
    }
}

/// Reports a mistake of the program. Starts the runtime first, which reads from the environment
/// what it reports.
#[cold]
fn misuse(kind: MutexKind, what: &str, instead: &str) {
    Thread::current();
    diag::misuse(construct(kind), format_args!("{what}"), instead);
}

/// The name of such a mutex in messages, beside the called routine.
fn construct(kind: MutexKind) -> &'static str {
    match kind {
        MutexKind::Critical => "critical",
        MutexKind::Atomic => "atomic",
        MutexKind::Ordered => "ordered",
        _ => "lock",
    }
}

/// Reports the release of a mutex that no thread holds.
#[cold]
#[inline(never)]
fn released_by_none(kind: MutexKind) {
    let what = match kind {
        MutexKind::Critical | MutexKind::Atomic => "no thread is in the region that ends",
        _ => "no thread holds the lock",
    };
    misuse(kind, what, "the call has no effect");
}

/// Reports that a thread waits for a mutex that it holds itself.
#[cold]
fn waits_for_itself(kind: MutexKind) {
    let what = match kind {
        MutexKind::Critical => "the calling thread is in a region of that name already",
        MutexKind::Atomic => "the calling thread is in an atomic region already",
        _ => "the calling thread holds the lock already",
    };
    misuse(kind, what, "it waits for itself");
}

/// Reports a lock whose owner is impossible, and makes the lock free.
#[cold]
fn mend(word: &OwnerWord, kind: MutexKind) {
    let owner = word.owner();
    let what = if owner == DESTROYED {
        "the lock has been destroyed"
    } else {
        "the lock is not initialized"
    };
    misuse(kind, what, "it is taken as free");
    word.disown(owner);
}

#[cold]
fn destroyed_while_held() {
    misuse(MutexKind::Lock, "the lock is held", "it is destroyed all the same");
}

#[cold]
fn null_lock() {
    misuse(MutexKind::Lock, "the lock is a null pointer", "the call has no effect");
}
