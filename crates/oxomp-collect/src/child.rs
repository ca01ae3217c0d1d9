//! A child made by fork(2) of a process that is recorded: it has a recording of its own when it
//! begins its first region. Most children begin none.
//!
//! The README says which states there are, and who changes them.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::{process, ptr, thread};

use ompt::ThreadKind;
use oxomp_trace::FileHeader;

use crate::recording::{self, Recording};
use crate::{clock, fold, log, message};

/// Whether there may be threads that had begun before the recording: in a child.
static IS_CHILD: AtomicBool = AtomicBool::new(false);
/// The parent's recording, in a child: what its own is made after.
static PARENTS: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());
/// A thread of the child makes its recording, or has.
static CLAIMED: AtomicBool = AtomicBool::new(false);
/// When the child was forked: the tick and `CLOCK_MONOTONIC`'s nanoseconds.
static FORK_TICK: AtomicU64 = AtomicU64::new(0);
static FORK_NS: AtomicU64 = AtomicU64::new(0);

/// From now on forks are seen. Once in a process; its children inherit it.
pub(crate) fn watch_forks() {
    // SAFETY: the handlers only store to atomics and to their own thread's variables.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
}

/// Before fork(2), on the forking thread.
unsafe extern "C" fn before_fork() {
    log::hide_current();
}

/// After it, in the parent.
unsafe extern "C" fn in_parent() {
    log::show_current();
}

/// After it, in the child, where only the forking thread exists and none of the mapped file.
unsafe extern "C" fn in_child() {
    leave_parent();
}

/// This process is a child of the recorded one, whose recording goes on without us.
fn leave_parent() {
    if let Some(parents) = recording::take() {
        parents.leave();
        PARENTS.store(ptr::from_ref(parents).cast_mut(), Ordering::Relaxed);
    }
    let (tick, nanoseconds) = clock::pair();
    FORK_TICK.store(tick, Ordering::Relaxed);
    FORK_NS.store(nanoseconds, Ordering::Relaxed);
    CLAIMED.store(false, Ordering::Relaxed);
    log::lose_current();
    IS_CHILD.store(true, Ordering::Relaxed);
}

/// The calling thread begins. The runtime's own handler of fork, which may run before ours, begins
/// its thread anew: that is why the process is looked at here.
pub(crate) fn begin_thread(kind: ThreadKind) {
    if recording::current().is_some_and(|recording| recording.pid() != process::id()) {
        leave_parent();
    }
    // Not in a handler of fork: other threads of a child have it behind them.
    if IS_CHILD.load(Ordering::Relaxed) && !is_main_thread() {
        begin_recording();
    }
    if let Some(recording) = recording::current() {
        recording.begin_thread(kind, clock::now());
    }
}

/// The calling thread encounters a region: in a child that may be the first thing it does that is
/// worth a recording, and the thread may be older than that.
#[inline]
pub(crate) fn enter_region() {
    if IS_CHILD.load(Ordering::Relaxed) {
        adopt_thread();
    }
}

#[cold]
fn adopt_thread() {
    begin_recording();
    if let Some(recording) = recording::current()
        && !log::has_current()
    {
        let begin = if is_main_thread() { FORK_TICK.load(Ordering::Relaxed) } else { clock::now() };
        recording.begin_thread(ThreadKind::Initial, begin);
    }
}

/// Begins the recording of this child, unless it has one, or wants none now.
#[cold]
fn begin_recording() {
    if recording::current().is_some() || !recording::is_on() {
        return;
    }
    if CLAIMED.swap(true, Ordering::Relaxed) {
        // Another thread makes it, or fails and turns all off.
        while recording::current().is_none() && recording::is_wanted() {
            thread::yield_now();
        }
        return;
    }
    // SAFETY: null or a recording that is never dropped.
    let Some(parents) = (unsafe { PARENTS.load(Ordering::Relaxed).as_ref() }) else {
        return recording::give_up();
    };
    let origin = parents.origin().clone();
    let header = FileHeader {
        pid: process::id(),
        start_tick: FORK_TICK.load(Ordering::Relaxed),
        start_monotonic_ns: FORK_NS.load(Ordering::Relaxed),
        start_unix_ns: clock::read(libc::CLOCK_REALTIME),
        ticks_per_second: origin.ticks_per_second,
    };
    fold::begin_anew();
    match Recording::create(origin, &header) {
        // The program may have said end in the meantime.
        Ok(recording) if !recording::is_wanted() => recording.end(),
        Ok(_) => {}
        Err(error) => {
            recording::give_up();
            message::print(&format!("process {} is not recorded: {error}", header.pid));
        }
    }
}

/// Whether the calling thread is the first of its process: in a child the one that forked.
fn is_main_thread() -> bool {
    // SAFETY: calls without arguments that always succeed.
    unsafe { libc::gettid() == libc::getpid() }
}
