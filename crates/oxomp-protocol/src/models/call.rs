//! Calls: waiting threads are called to help, and are released all the same.

use core::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use super::barrier::{release, worker};
use super::{ASLEEP, Slots, check};
use crate::barrier::{Barrier, Dock, Epoch, ReleaseWord};

/// The sleeper may see the call, and then waits for the release; or it is released at once.
/// Neither wake-up is lost, and a thread that sees the call also sees the reason for it.
#[test]
fn a_called_sleeper_wakes_and_is_released() {
    check(4, || {
        let shared = Arc::new((ReleaseWord::new(), Slots::new(2)));
        let sleeper = {
            let shared = shared.clone();
            thread::spawn(move || {
                let (word, slots) = &*shared;
                if !word.wait_or_called(Epoch::FIRST, ASLEEP) {
                    assert_eq!(slots.get(0), 1);
                    word.wait(Epoch::FIRST, ASLEEP);
                }
                assert_eq!(slots.get(1), 1);
            })
        };
        let (word, slots) = &*shared;
        slots.set(0, 1);
        word.call();
        word.withdraw_call();
        slots.set(1, 1);
        word.advance();
        sleeper.join().unwrap();
    });
}

/// A call alone ends the sleep of a thread that can be called.
#[test]
fn a_call_finds_its_sleeper() {
    loom::model(|| {
        let word = Arc::new(ReleaseWord::new());
        let sleeper = {
            let word = word.clone();
            thread::spawn(move || word.wait_or_called(Epoch::FIRST, ASLEEP))
        };
        word.call();
        assert!(!sleeper.join().unwrap());
    });
}

/// Two waiters sleep on one word, one can be called and one cannot: both are released.
#[test]
fn one_answers_calls_while_another_sleeps() {
    check(2, || {
        let word = Arc::new(ReleaseWord::new());
        let callable = {
            let word = word.clone();
            thread::spawn(move || {
                if !word.wait_or_called(Epoch::FIRST, ASLEEP) {
                    word.wait(Epoch::FIRST, ASLEEP);
                }
            })
        };
        let waiting = {
            let word = word.clone();
            thread::spawn(move || word.wait(Epoch::FIRST, ASLEEP))
        };
        word.call();
        word.advance();
        callable.join().unwrap();
        waiting.join().unwrap();
    });
}

/// A call by a thread that is released, while the releaser has still to advance the word of the
/// other group, is seen there: in this epoch or in the next.
#[test]
fn a_call_is_not_lost_over_a_release() {
    const SIZE: usize = 3;
    check(2, || {
        let barrier = Arc::new(Barrier::new(SIZE));
        // All threads have arrived but the last one, in the group that is released last.
        let seen: Vec<_> = (0..SIZE).map(|me| barrier.epoch(me)).collect();
        assert!(barrier.arrive(2).is_none() && barrier.arrive(1).is_none());
        let caller = {
            let (barrier, seen) = (barrier.clone(), seen[2]);
            thread::spawn(move || {
                barrier.wait(2, seen, ASLEEP);
                barrier.call();
            })
        };
        let waiter = {
            let (barrier, seen) = (barrier.clone(), seen[1]);
            thread::spawn(move || {
                if !barrier.wait_or_called(1, seen, ASLEEP) {
                    barrier.wait(1, seen, ASLEEP);
                }
                let next = barrier.epoch(1);
                assert_ne!(next, seen);
                // No thread ends the next epoch: only the call ends this wait.
                assert!(!barrier.wait_or_called(1, next, ASLEEP));
            })
        };
        let last = barrier.arrive(0).expect("the last to arrive");
        barrier.withdraw_call();
        barrier.release(last);
        caller.join().unwrap();
        waiter.join().unwrap();
    });
}

/// A worker that withdraws a call sees the reason of every call before.
#[test]
fn a_call_that_is_withdrawn_has_been_seen() {
    check(4, || {
        let shared = Arc::new((Dock::new(0), AtomicU32::new(0)));
        let worker = {
            let shared = shared.clone();
            thread::spawn(move || {
                let mut worker = worker(&shared.0);
                // Relaxed: the call that is withdrawn orders it, or another call comes.
                while shared.1.load(Relaxed) == 0 {
                    assert!(worker.wait_or_called(ASLEEP).is_none());
                }
            })
        };
        let for_nothing = {
            let shared = shared.clone();
            thread::spawn(move || shared.0.call())
        };
        shared.1.store(1, Relaxed);
        shared.0.call();
        worker.join().unwrap();
        for_nothing.join().unwrap();
    });
}

/// A worker is called for its next region before it has the order: the call still holds when the
/// worker is back from that region.
#[test]
fn a_call_that_comes_before_its_order_is_kept() {
    check(4, || {
        let dock = Arc::new(Dock::new(0));
        let worker = {
            let dock = dock.clone();
            thread::spawn(move || {
                let mut worker = worker(&dock);
                assert_eq!(worker.next_order(ASLEEP, || false), 1);
                assert!(worker.wait_or_called(ASLEEP).is_none());
            })
        };
        let caller = {
            let dock = dock.clone();
            thread::spawn(move || dock.call())
        };
        release(&dock, 1);
        worker.join().unwrap();
        caller.join().unwrap();
    });
}
