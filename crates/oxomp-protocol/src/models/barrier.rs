//! Dock and barrier, with threads that go to sleep at once, the path with the most races.

use loom::sync::Arc;
use loom::thread;

use super::{ASLEEP, Slots, check, on_threads};
use crate::barrier::{Barrier, Dock, Released, Worker};

/// The worker of a dock, on the one thread of the model that asks for it.
pub(super) fn worker(dock: &Dock<u32>) -> Worker<'_, u32> {
    // SAFETY: each dock has one such thread, which asks once.
    unsafe { dock.worker() }
}

/// Releases the worker of a dock, from the first thread of the model.
pub(super) fn release(dock: &Dock<u32>, order: u32) {
    // SAFETY: the worker has carried out its last order: a barrier came after it.
    unsafe { dock.release(order) };
}

fn a_barrier_orders(size: usize, rounds: u32, preemptions: usize) {
    check(preemptions, move || {
        let barrier = Arc::new(Barrier::new(size));
        let slots = Arc::new(Slots::new(size));
        on_threads(size, move |me| {
            for round in 1..=rounds {
                slots.set(me, round);
                barrier.pass(me, ASLEEP);
                assert_eq!(slots.get((me + 1) % size), round);
                barrier.pass(me, ASLEEP);
            }
        });
    });
}

#[test]
fn two_threads_pass_twice() {
    a_barrier_orders(2, 2, 3);
}

/// With `FAN_IN` 2 three threads make a tree of two levels and two release words.
#[test]
fn three_threads_pass_through_a_tree() {
    a_barrier_orders(3, 1, 2);
}

/// Fork and join twice: the worker sees all that the primary wrote and the other way round, and
/// the order is not overwritten while it is read.
#[test]
fn regions_hand_data_both_ways() {
    check(3, || {
        let dock = Arc::new(Dock::new(0));
        let barrier = Arc::new(Barrier::new(2));
        let slots = Arc::new(Slots::new(2));
        let worker = {
            let (dock, barrier, slots) = (dock.clone(), barrier.clone(), slots.clone());
            thread::spawn(move || {
                let mut worker = worker(&dock);
                for region in 1..=2 {
                    let released = worker.wait_or_called(ASLEEP).expect("no call");
                    assert_eq!(released.order(), region);
                    assert_eq!(slots.get(0), region);
                    slots.set(1, region);
                    if let Some(last) = barrier.arrive(1) {
                        barrier.release(last);
                    }
                }
            })
        };
        for region in 1..=2 {
            slots.set(0, region);
            release(&dock, region);
            barrier.pass(0, ASLEEP);
            assert_eq!(slots.get(1), region);
        }
        worker.join().unwrap();
    });
}

/// A worker that goes from its region to its dock without waiting for the barrier's end takes part
/// in the next region's barrier like any other: no thread mistakes the end of the previous region
/// for that barrier's end.
#[test]
fn the_end_of_a_region_is_not_taken_for_a_barrier_of_the_next() {
    const SIZE: usize = 3;
    check(1, || {
        let docks: Arc<Vec<Dock<u32>>> = Arc::new((0..SIZE).map(|_| Dock::new(0)).collect());
        let barrier = Arc::new(Barrier::new(SIZE));
        let slots = Arc::new(Slots::new(SIZE));
        let second_region = {
            let (barrier, slots) = (barrier.clone(), slots.clone());
            move |me: usize| {
                slots.set(me, 1);
                barrier.pass(me, ASLEEP);
                assert_eq!(slots.get((me + 1) % SIZE), 1);
            }
        };
        let workers: Vec<_> = (1..SIZE)
            .map(|me| {
                let (docks, barrier) = (docks.clone(), barrier.clone());
                let second_region = second_region.clone();
                thread::spawn(move || {
                    if let Some(last) = barrier.arrive(me) {
                        barrier.release(last);
                    }
                    assert!(worker(&docks[me]).wait_or_called(ASLEEP).is_some());
                    second_region(me);
                })
            })
            .collect();
        barrier.pass(0, ASLEEP);
        for dock in &docks[1..] {
            release(dock, 1);
        }
        second_region(0);
        for worker in workers {
            worker.join().unwrap();
        }
    });
}

/// A sleeper's mark is never lost, whether sleeper or releaser comes first.
#[test]
fn a_release_finds_its_sleeper() {
    loom::model(|| {
        let dock = Arc::new(Dock::new(0));
        let worker = {
            let dock = dock.clone();
            thread::spawn(move || worker(&dock).wait_or_called(ASLEEP).map(Released::order))
        };
        release(&dock, 7);
        assert_eq!(worker.join().unwrap(), Some(7));
    });
}
