//! Loom models of dock and barrier: every interleaving of few threads, sleepers included.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p oxomp-core --release barrier::models`

use core::ffi::c_void;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::dock::{Dock, INLINE_WORDS, Order};
use super::{Barrier, Generation, Patience};

/// Straight to sleep: the path with the most that can go wrong.
const ASLEEP: Patience = Patience { spins: 0, nanoseconds: 0 };

fn bounded(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// A plain cell per thread: loom fails if a barrier does not order the accesses.
struct Slots(Vec<UnsafeCell<u32>>);

// SAFETY: loom checks every access.
unsafe impl Sync for Slots {}
// SAFETY: as above.
unsafe impl Send for Slots {}

impl Slots {
    fn set(&self, index: usize, value: u32) {
        // SAFETY: loom reports a race.
        self.0[index].with_mut(|slot| unsafe { *slot = value });
    }

    fn get(&self, index: usize) -> u32 {
        // SAFETY: loom reports a race.
        self.0[index].with(|slot| unsafe { *slot })
    }
}

fn a_barrier_orders(size: usize, rounds: u32) {
    bounded(move || {
        let barrier = Arc::new(Barrier::new(size));
        let slots = Arc::new(Slots((0..size).map(|_| UnsafeCell::new(0)).collect()));
        let body = {
            let (barrier, slots) = (barrier.clone(), slots.clone());
            move |me: usize| {
                for round in 1..=rounds {
                    slots.set(me, round);
                    barrier.pass(me, ASLEEP);
                    assert_eq!(slots.get((me + 1) % size), round);
                    barrier.pass(me, ASLEEP);
                }
            }
        };
        let others: Vec<_> = (1..size)
            .map(|me| {
                let body = body.clone();
                thread::spawn(move || body(me))
            })
            .collect();
        body(0);
        for other in others {
            other.join().unwrap();
        }
    });
}

#[test]
fn two_threads_pass_twice() {
    a_barrier_orders(2, 2);
}

/// With `FAN_IN` 2 three threads make a tree of two levels and two release words.
#[test]
fn three_threads_pass_through_a_tree() {
    a_barrier_orders(3, 1);
}

fn order(code: u32) -> Order {
    Order { code, outlined: core::ptr::null::<c_void>(), words: [0; INLINE_WORDS], member: core::ptr::null_mut() }
}

/// Fork and join twice: what the primary wrote is seen by the worker and the other way round, and
/// the order is not overwritten while it is read.
#[test]
fn regions_hand_data_both_ways() {
    bounded(|| {
        let dock = Arc::new(Dock::new());
        let barrier = Arc::new(Barrier::new(2));
        let slots = Arc::new(Slots((0..2).map(|_| UnsafeCell::new(0)).collect()));
        let worker = {
            let (dock, barrier, slots) = (dock.clone(), barrier.clone(), slots.clone());
            let mut seen = Generation::FIRST;
            thread::spawn(move || {
                for region in 1..=2 {
                    let (order, next) = dock.wait(seen, ASLEEP);
                    seen = next;
                    assert_eq!(order.code, region);
                    assert_eq!(slots.get(0), region);
                    slots.set(1, region);
                    if barrier.arrive(1) {
                        barrier.release();
                    }
                }
            })
        };
        for region in 1..=2 {
            slots.set(0, region);
            dock.release(order(region));
            barrier.pass(0, ASLEEP);
            assert_eq!(slots.get(1), region);
        }
        worker.join().unwrap();
    });
}

/// The mark of a sleeper is never lost, whoever comes first.
#[test]
fn a_release_finds_its_sleeper() {
    loom::model(|| {
        let dock = Arc::new(Dock::new());
        let seen = Generation::FIRST;
        let worker = {
            let dock = dock.clone();
            thread::spawn(move || dock.wait(seen, ASLEEP).0.code)
        };
        dock.release(order(7));
        assert_eq!(worker.join().unwrap(), 7);
    });
}
