//! The quiet in which a process forks.

use std::sync::Arc;

use super::{check, on_threads};
use crate::sync::quiet::{Manners, Quiet};
use crate::sync::{Mutex, lock, yield_now};

/// Two locks, of which threads take the second with the first held; both values grow together.
#[derive(Debug)]
struct Process {
    quiet: Quiet,
    outer: Mutex<u32>,
    inner: Mutex<u32>,
}

impl Process {
    fn new() -> Arc<Self> {
        Arc::new(Self { quiet: Quiet::new(), outer: Mutex::new(0), inner: Mutex::new(0) })
    }

    /// A call of the library; `wait` is what the thread does in the quiet.
    fn change(&self, mut wait: impl FnMut()) {
        let mut wait = || {
            wait();
            Manners::Look
        };
        let mut outer = self.quiet.outside(|| lock(&self.outer), &mut wait);
        let mut inner = self.quiet.outside(|| lock(&self.inner), &mut wait);
        *outer += 1;
        *inner += 1;
    }

    fn begin(&self) {
        let _outer = lock(&self.outer);
        let _inner = lock(&self.inner);
        self.quiet.begin();
    }

    /// The data as the child has them; none if a thread holds a lock.
    fn fork(&self) -> Option<(u32, u32)> {
        Some((*self.outer.try_lock()?, *self.inner.try_lock()?))
    }
}

/// No thread is in the middle of a change when the process forks: one that has taken a lock in the
/// quiet only releases it. I15.
#[test]
fn a_fork_meets_no_change() {
    check(3, || {
        let process = Process::new();
        on_threads(2, move |me| {
            if me > 0 {
                return process.change(yield_now);
            }
            process.begin();
            // A lock that is held is held to be released: the thread in the quiet changes nothing.
            while process.quiet.is_kept() {
                match process.fork() {
                    Some((outer, inner)) => {
                        assert_eq!(outer, inner);
                        process.quiet.end();
                    }
                    None => yield_now(),
                }
            }
        });
    });
}

/// Of two forks the second goes on to be waited for when the first has ended.
#[test]
fn each_of_two_forks_is_waited_for() {
    check(2, || {
        let process = Process::new();
        on_threads(2, move |me| {
            if me > 0 {
                return process.change(yield_now);
            }
            process.begin();
            process.begin();
            process.quiet.end();
            assert!(process.quiet.is_kept());
            process.quiet.end();
            assert!(!process.quiet.is_kept());
            // As the child has it: its parent's other forks are none of its own.
            process.begin();
            process.quiet.forget();
            assert!(!process.quiet.is_kept());
        });
    });
}

/// A handler of the fork waits for a thread that calls the library: that thread lets the quiet go.
#[test]
fn a_thread_for_which_the_fork_waits_goes_on() {
    check(3, || {
        let process = Process::new();
        let has_called = Arc::new(Mutex::new(false));
        on_threads(2, move |me| {
            if me > 0 {
                process.change(|| process.quiet.let_go());
                *lock(&has_called) = true;
                return;
            }
            process.begin();
            while !*lock(&has_called) {
                yield_now();
            }
            process.quiet.end();
            assert_eq!(process.fork(), Some((1, 1)));
        });
    });
}
