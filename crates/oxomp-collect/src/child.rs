//! Children made by fork(2) of a recorded process: a child gets a recording of its own when it
//! begins its first region. Most children begin none.
//!
//! The README has the states, and the threads that change them.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::{process, ptr, thread};

use ompt::ThreadKind;
use oxomp_trace::FileHeader;

use crate::last::is_main_thread;
use crate::origin::Origin;
use crate::recording::{self, Recording};
use crate::{census, clock, loader, log, message, mpi_library, sample};

/// Whether this process is a child, so that threads may have begun before its recording.
static IS_CHILD: AtomicBool = AtomicBool::new(false);
/// In a child: the parent's recording, from which the child's recording takes its folder and
/// settings.
static PARENTS: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());
/// Whether a thread of the child makes its recording, or has made it.
static CLAIMED: AtomicBool = AtomicBool::new(false);
/// When the child was forked: the tick and `CLOCK_MONOTONIC`'s nanoseconds.
static FORK_TICK: AtomicU64 = AtomicU64::new(0);
static FORK_NS: AtomicU64 = AtomicU64::new(0);

/// Installs the handlers of fork(2), before the process's first recording: its helper may look at
/// the modules at once. Children inherit them.
pub(crate) fn watch_forks() {
    static INSTALL: Once = Once::new();
    // SAFETY: the handlers only store to atomics and to their own thread's variables.
    INSTALL.call_once(|| unsafe {
        libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child));
    });
}

/// Before fork(2), on the forking thread.
unsafe extern "C" fn before_fork() {
    log::hide_current();
    loader::before_fork();
}

/// After fork(2), in the parent.
unsafe extern "C" fn in_parent() {
    loader::after_fork();
    log::show_current();
}

/// After fork(2), in the child, which has only the forking thread, and no mapping of the file.
unsafe extern "C" fn in_child() {
    leave_parent();
}

/// Makes this process a child of the recorded one, whose recording goes on without it.
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
    sample::begin_child();
    mpi_library::begin_child();
    if !loader::begin_child() {
        recording::give_up();
        message::print(&format!(
            "process {} is not recorded: it was forked while the list of modules was read",
            process::id()
        ));
    }
    IS_CHILD.store(true, Ordering::Relaxed);
}

/// The calling thread begins. The runtime's own handler of fork, which may run before ours, begins
/// its thread anew: so this function compares the processes.
pub(crate) fn begin_thread(kind: ThreadKind) {
    if recording::current().is_some_and(|recording| recording.pid() != process::id()) {
        leave_parent();
    }
    // Not in a handler of fork(2): the other threads of a child begin after it.
    if IS_CHILD.load(Ordering::Relaxed) && !is_main_thread() {
        begin_recording();
    }
    // The main thread may have a log already: `begin_main_thread`.
    if let Some(recording) = recording::current()
        && !recording.has_log()
    {
        recording.begin_thread(kind, clock::now());
    }
}

/// The calling thread does something that is recorded, perhaps before OpenMP knows it: the main
/// thread gets a log if it has none. In a child regions alone begin a recording.
#[inline]
pub(crate) fn begin_main_thread() {
    if let Some(recording) = recording::current()
        && !recording.has_log()
        && is_main_thread()
        && recording.pid() == process::id()
    {
        recording.begin_thread(ThreadKind::Initial, clock::now());
    }
}

/// The calling thread encounters a region: in a child this may begin the recording, and the thread
/// may be older than the recording.
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

/// Begins the recording of this child, unless there is one already, or none is wanted now.
#[cold]
fn begin_recording() {
    if recording::current().is_some() || !recording::is_on() {
        return;
    }
    if CLAIMED.swap(true, Ordering::Relaxed) {
        // Another thread makes the recording, or fails and sets the mode off.
        while recording::current().is_none() && recording::is_wanted() {
            thread::yield_now();
        }
        return;
    }
    // SAFETY: null or a recording that is never dropped.
    let Some(parents) = (unsafe { PARENTS.load(Ordering::Relaxed).as_ref() }) else {
        return recording::give_up();
    };
    census::begin_anew();
    let origin = Origin { age: 0, attached: None, ..parents.origin().clone() };
    let header = FileHeader {
        pid: process::id(),
        start_tick: FORK_TICK.load(Ordering::Relaxed),
        start_monotonic_ns: FORK_NS.load(Ordering::Relaxed),
        start_unix_ns: clock::read(libc::CLOCK_REALTIME),
        ticks_per_second: origin.ticks_per_second,
    };
    match Recording::create(origin, &header) {
        // The program may have said end in the meantime.
        Ok(recording) if !recording::is_wanted_after_start() => recording.end(),
        Ok(_) => {}
        Err(error) => {
            recording::give_up();
            message::print(&format!("process {} is not recorded: {error}", header.pid));
        }
    }
}
