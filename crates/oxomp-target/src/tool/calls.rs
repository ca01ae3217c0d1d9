//! The calls of the tool that are going on: the end of a tool lets no further call begin, and waits
//! for the calls of other threads. The crate's README has the argument.

use core::cell::Cell;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Instant;

use crate::sync::{AtomicUsize, IS_MODEL, thread_number, yield_now};

/// The lines on which threads count their calls: many, since a line that two threads write goes
/// back and forth between their processors with each call.
const LINES: usize = if IS_MODEL { 2 } else { 64 };

/// The bit of a line's word that is set while no call may begin.
const CLOSED: usize = 1;
/// One call in a line's word.
const CALL: usize = 2;

/// A word alone on a pair of cache lines: the word's own, and the adjacent one, which the
/// prefetcher fetches along.
#[repr(align(128))]
#[derive(Debug)]
struct Line(AtomicUsize);

statics! {
    /// A thread counts its calls on one line, always the same.
    static COUNTS: [Line; LINES] = repeated![Line(AtomicUsize::new(0)); LINES];
}

statics_of_threads! {
    static OWN: Own = Own { line: Cell::new(None), calls: Cell::new(0) };
}

/// What a thread counts.
struct Own {
    /// The line on which the thread counts; `None` before its first call.
    line: Cell<Option<&'static Line>>,
    /// The thread's calls that are going on.
    calls: Cell<usize>,
}

impl Own {
    fn line(&self) -> &'static AtomicUsize {
        let line = self.line.get().unwrap_or_else(|| {
            let line = &COUNTS[thread_number() as usize % LINES];
            self.line.set(Some(line));
            line
        });
        &line.0
    }
}

/// Does `call`, which may call the tool, unless the tool has ended.
pub(super) fn during(call: impl FnOnce()) {
    OWN.with(|own| {
        own.calls.set(own.calls.get() + 1);
        let line = own.line();
        // Acquire: with the Release of `open` (I9).
        if line.fetch_add(CALL, Acquire) & CLOSED == 0 {
            call();
        }
        // Release: with the Acquire of `wait_for_others` (I8).
        line.fetch_sub(CALL, Release);
        own.calls.set(own.calls.get() - 1);
    });
}

/// A tool begins, so calls may begin. The former tool has ended.
pub(super) fn open() {
    for line in COUNTS.iter() {
        // Release: with the Acquire of `during`, whose caller sees that the former tool has ended.
        line.0.fetch_and(!CLOSED, Release);
    }
}

/// No call begins from now on, until `open`.
pub(super) fn close() {
    for line in COUNTS.iter() {
        // Relaxed: the order of the changes of this one word decides (I8).
        line.0.fetch_or(CLOSED, Relaxed);
    }
}

/// Waits for the calls of other threads, at most until the deadline: a callback may never return.
/// No call begins any more.
pub(super) fn wait_for_others(deadline: Instant) {
    let own = OWN.with(|own| own.calls.get());
    // Acquire: with the Release of each call's end.
    let going_on = || COUNTS.iter().map(|line| line.0.load(Acquire) / CALL).sum::<usize>();
    while going_on() > own && Instant::now() < deadline {
        yield_now();
    }
}

/// In the child of a fork(2) the calling thread is the only one: the calls of others are gone.
pub(super) fn forget_others() {
    for line in COUNTS.iter() {
        // Relaxed: no other thread exists.
        line.0.store(line.0.load(Relaxed) & CLOSED, Relaxed);
    }
    OWN.with(|own| own.line().fetch_add(CALL * own.calls.get(), Relaxed));
}
