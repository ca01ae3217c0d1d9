//! The lock in a word: exclusion, and no sleeper forgotten.

use loom::sync::Arc;
use loom::thread;

use crate::raw::RawLock;
use crate::{Slots, check};

fn threads_take_turns(threads: u32) {
    check(3, move || {
        let shared = Arc::new((RawLock::new(), Slots::new(1)));
        let add = |shared: &(RawLock, Slots)| {
            shared.0.lock();
            shared.1.set(0, shared.1.get(0) + 1);
            shared.0.unlock();
        };
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let shared = shared.clone();
                thread::spawn(move || add(&shared))
            })
            .collect();
        add(&shared);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(shared.1.get(0), threads);
    });
}

#[test]
fn two_threads_exclude_each_other() {
    threads_take_turns(2);
}

#[test]
fn a_thread_that_slept_wakes_the_next() {
    threads_take_turns(3);
}
