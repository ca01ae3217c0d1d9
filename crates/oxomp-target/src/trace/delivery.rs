//! The delivery thread: it calls the tool's functions for buffers, for all devices. It exists while
//! a device is traced, is not a thread of OpenMP, and takes no signals.

use core::cell::Cell;
use core::ops::ControlFlow;
use core::{mem, ptr};
use std::collections::VecDeque;
use std::time::Instant;

use super::handle;
use super::tracer::Tracer;
use crate::report;
use crate::sync::{Child, Condvar, Mutex, Thread, Visit, lock, wait, wait_while};

/// What the thread and the others share.
#[derive(Debug, Default)]
pub(super) struct DeliveryState {
    /// The devices for which there is something to do.
    due: VecDeque<&'static Tracer>,
    /// The device for which the thread works.
    delivering: Option<&'static Tracer>,
    /// The traces that have started and not stopped.
    traces: usize,
    /// The traces that have started.
    starts: u64,
    is_running: bool,
    thread: Option<Thread>,
}

statics! {
    static SHARED: Mutex<DeliveryState> = Mutex::new(DeliveryState {
        due: VecDeque::new(),
        delivering: None,
        traces: 0,
        starts: 0,
        is_running: false,
        thread: None,
    });
    /// Something is due, or the first trace has started, or the last trace or the thread has ended.
    static CHANGED: Condvar = Condvar::new();
}

statics_of_threads! {
    static IS_CURRENT: Cell<bool> = Cell::new(false);
}

/// Whether the calling thread is the delivery thread: it is in a callback of the tool.
pub(super) fn is_current_thread() -> bool {
    IS_CURRENT.with(Cell::get)
}

/// Calls `visit` with the lock (`fork`).
pub(super) fn each_lock(visit: &mut Visit<'_>) -> ControlFlow<()> {
    let lock: &Mutex<_> = &SHARED;
    visit(lock)
}

/// In the child of a fork: the delivery thread and all traces are gone.
pub(super) fn after_fork(child: &Child) {
    if let Some(mut shared) = SHARED.after_fork(child, DeliveryState::default).guard() {
        // Not dropped: the thread is gone and cannot be detached.
        mem::forget(mem::take(&mut *shared));
    }
    IS_CURRENT.with(|it| it.set(false));
    Thread::forget_end();
}

/// A trace starts. Returns whether a delivery thread runs for it.
pub(super) fn enlist() -> bool {
    let mut shared = lock(&SHARED);
    if !shared.is_running {
        // The former delivery thread has ended; dropping its handle detaches it.
        shared.thread = None;
        shared.thread = Thread::spawn(run, abandon);
        shared.is_running = shared.thread.is_some();
        if !shared.is_running {
            return false;
        }
    }
    shared.traces += 1;
    shared.starts += 1;
    if shared.traces == 1 {
        CHANGED.notify_all();
    }
    true
}

/// A trace ends. With the last one the thread ends.
pub(super) fn delist() {
    let mut shared = lock(&SHARED);
    shared.traces = shared.traces.saturating_sub(1);
    if shared.traces == 0 {
        CHANGED.notify_all();
    }
}

/// If no trace is on, waits for the end of the thread, at most until the deadline.
pub(super) fn join(deadline: Option<Instant>) {
    if is_current_thread() {
        return;
    }
    let shared = lock(&SHARED);
    let starts = shared.starts;
    // Another trace may start meanwhile, and even stop again: the thread goes on for it.
    let leaves = |shared: &mut DeliveryState| {
        shared.is_running && shared.traces == 0 && shared.starts == starts
    };
    let mut shared = wait_while(&CHANGED, shared, deadline, leaves);
    let left = if shared.is_running { None } else { shared.thread.take() };
    drop(shared);
    if let Some(thread) = left {
        thread.join();
    }
}

/// Makes the thread work for a device.
pub(super) fn schedule(tracer: &'static Tracer) {
    let mut shared = lock(&SHARED);
    shared.due.push_back(tracer);
    CHANGED.notify_all();
}

/// What the thread does.
fn run() {
    IS_CURRENT.with(|it| it.set(true));
    let mut shared = lock(&SHARED);
    loop {
        if let Some(tracer) = shared.due.pop_front() {
            shared.delivering = Some(tracer);
            drop(shared);
            tracer.deliver();
            shared = lock(&SHARED);
            shared.delivering = None;
        } else if shared.traces == 0 {
            // In the same hold of the lock in which no trace was on: a later trace starts a thread
            // (I13).
            shared.is_running = false;
            CHANGED.notify_all();
            return;
        } else {
            shared = wait(&CHANGED, shared);
        }
    }
}

/// A function of the tool has ended the thread by pthread_exit(3): all traces end, their records
/// are dropped, and a trace that has started meanwhile gets another thread.
fn abandon() {
    report::warn("the tool has ended the thread that hands over its records; its traces end");
    let delivering = {
        let mut shared = lock(&SHARED);
        shared.due.clear();
        shared.delivering.take()
    };
    let end = |tracer: &'static Tracer| {
        if tracer.abandon() {
            delist();
        }
    };
    // Each trace once: the tool may start it again as soon as it has ended.
    let known = handle::all();
    let is_known = |tracer: &&Tracer| known.iter().any(|it| ptr::eq(*it, *tracer));
    if let Some(tracer) = delivering.filter(|tracer| !is_known(tracer)) {
        end(tracer);
    }
    known.iter().copied().for_each(end);
    if !is_replaced() {
        // Without a thread, a trace that has started meanwhile would get no delivery.
        handle::all().into_iter().for_each(end);
        lock(&SHARED).is_running = false;
    }
    CHANGED.notify_all();
}

/// Makes a new thread if a trace needs one; returns whether no trace lacks a thread.
fn is_replaced() -> bool {
    let mut shared = lock(&SHARED);
    shared.is_running = false;
    if shared.traces > 0 {
        shared.thread = Thread::spawn(run, abandon);
        shared.is_running = shared.thread.is_some();
    }
    shared.traces == 0 || shared.is_running
}
