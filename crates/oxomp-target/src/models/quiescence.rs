//! The quiescence in which a process forks.

use std::sync::Arc;

use super::{check, on_threads};
use crate::sync::quiescence::Quiescence;
use crate::sync::{AtomicBool, Mutex, lock, yield_now};
use core::sync::atomic::Ordering::Relaxed;

/// Two locks, of which threads take the second with the first held; both values grow together.
#[derive(Debug)]
struct Process {
    quiescence: Quiescence,
    outer: Mutex<u32>,
    inner: Mutex<u32>,
    /// Whether a thread is between the two changes; threads look at it and never wait for it.
    is_changing: AtomicBool,
}

impl Process {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            quiescence: Quiescence::new(),
            outer: Mutex::new(0),
            inner: Mutex::new(0),
            is_changing: AtomicBool::new(false),
        })
    }

    /// A call of the library by a thread with `own` forks under way; `wait` is what the thread does
    /// meanwhile.
    fn change(&self, own: u32, mut wait: impl FnMut()) {
        let mut outer = self.quiescence.outside(|| own, || lock(&self.outer), &mut wait);
        let mut inner = self.quiescence.outside(|| own, || lock(&self.inner), &mut wait);
        self.is_changing.store(true, Relaxed);
        *outer += 1;
        *inner += 1;
        self.is_changing.store(false, Relaxed);
    }

    fn begin(&self) {
        let _outer = lock(&self.outer);
        let _inner = lock(&self.inner);
        self.quiescence.begin();
    }
}

/// No thread is in the middle of a change when the process forks: a thread that has taken a lock in
/// the quiescence only frees it. I15.
#[test]
fn a_fork_meets_no_change() {
    check(3, || {
        let process = Process::new();
        on_threads(2, move |me| {
            if me > 0 {
                return process.change(0, yield_now);
            }
            process.begin();
            assert!(!process.is_changing.load(Relaxed));
            process.quiescence.end();
        });
    });
}

/// Two threads fork, and one of them calls the library between its own quiescence and its fork: the
/// other's fork meets no change of it. I15.
#[test]
fn a_fork_meets_no_change_of_another_thread_that_forks() {
    check(2, || {
        let process = Process::new();
        on_threads(2, move |me| {
            process.begin();
            if me > 0 {
                process.change(1, yield_now);
            } else {
                assert!(!process.is_changing.load(Relaxed));
            }
            process.quiescence.end();
        });
    });
}

/// When the first of two forks has ended, threads go on waiting for the second; and in the child of
/// a fork only the forks of its own thread are under way.
#[test]
fn each_of_two_forks_is_waited_for() {
    check(2, || {
        let process = Process::new();
        on_threads(2, move |me| {
            if me > 0 {
                return process.change(0, yield_now);
            }
            process.begin();
            process.begin();
            process.quiescence.end();
            assert!(process.quiescence.is_kept());
            process.quiescence.keep(0);
            assert!(!process.quiescence.is_kept());
        });
    });
}

/// A handler of the fork waits for a thread that calls the library: that thread gives the
/// quiescence up.
#[test]
fn a_thread_for_which_the_fork_waits_goes_on() {
    check(3, || {
        let process = Process::new();
        let has_called = Arc::new(Mutex::new(false));
        on_threads(2, move |me| {
            if me > 0 {
                process.change(0, || process.quiescence.give_up());
                *lock(&has_called) = true;
                return;
            }
            process.begin();
            while !*lock(&has_called) {
                yield_now();
            }
            process.quiescence.end();
            assert!(!process.quiescence.is_kept());
        });
    });
}
