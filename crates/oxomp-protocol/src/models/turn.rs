//! Threads that wait for one another: the tree of a reduction and the turns of an ordered loop.

use core::ffi::c_void;

use core::sync::atomic::Ordering::{Acquire, Release};
use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;

use super::{Slots, check, on_threads};
use crate::loops::OrderedState;
use crate::patience::Patience;
use crate::tree::{Offer, gather};

const LOOKING: Patience = Patience { spins: 0, nanoseconds: None };

/// A thread's list is its cell in `slots`; thread `me` contributes 2^(4 me).
fn combine_in_a_tree(size: u32, rounds: u32, preemptions: usize) {
    check(preemptions, move || {
        let offers: Arc<Vec<Offer<c_void>>> = Arc::new((0..size).map(|_| Offer::new()).collect());
        let slots = Arc::new(Slots::new(size as usize));
        on_threads(size as usize, move |me| {
            let list = |me: usize| core::ptr::without_provenance_mut::<c_void>(me + 1);
            let at = |list: *mut c_void| list.addr() - 1;
            for _ in 0..rounds {
                slots.set(me, 1 << (4 * me));
                let is_top = gather(
                    me as u32,
                    size,
                    |of| &offers[of as usize],
                    LOOKING,
                    |_| false,
                    list(me),
                    |into, from| {
                        slots.set(at(into), slots.get(at(into)) + slots.get(at(from)));
                    },
                );
                assert_eq!(is_top, me == 0);
                if is_top {
                    let all: u32 = (0..size).map(|thread| 1 << (4 * thread)).sum();
                    assert_eq!(slots.get(0), all);
                }
            }
        });
    });
}

#[test]
fn two_threads_reduce_twice() {
    combine_in_a_tree(2, 2, 3);
}

/// With `FAN_IN` 2 the fourth thread is below the second.
#[test]
fn four_threads_reduce_in_two_levels() {
    combine_in_a_tree(4, 1, 0);
}

/// One of two threads leaves for good without a combining: the other does not wait for it, and the
/// offers are null afterwards.
fn one_is_gone(gone: usize) {
    check(3, move || {
        let offers: Arc<Vec<Offer<c_void>>> = Arc::new((0..2).map(|_| Offer::new()).collect());
        let has_left = Arc::new(AtomicU64::new(0));
        on_threads(2, move |me| {
            if me == gone {
                has_left.store(1, Release);
                return;
            }
            let is_gone = |_| has_left.load(Acquire) != 0;
            let of = |thread: u32| &offers[thread as usize];
            let list = core::ptr::without_provenance_mut::<c_void>(1);
            let is_top =
                gather(me as u32, 2, of, LOOKING, is_gone, list, |_, _| panic!("no other list"));
            assert_eq!(is_top, me == 0);
        });
    });
}

#[test]
fn the_thread_below_is_gone() {
    one_is_gone(1);
}

#[test]
fn the_thread_above_is_gone() {
    one_is_gone(0);
}

/// Threads execute chunks in turn; the iterations that `regions` names have an ordered region. Each
/// region reads the word that the one before wrote.
fn ordered_loop(chunks: &'static [(u64, u64)], regions: fn(u64) -> bool, preemptions: usize) {
    const THREADS: usize = 2;
    check(preemptions, move || {
        let shared = Arc::new((AtomicU64::new(0), Slots::new(1)));
        on_threads(THREADS, move |me| {
            let (turn_of, slots) = &*shared;
            let state = OrderedState::new();
            state.begin_loop();
            for (start, iterations) in chunks.iter().skip(me).step_by(THREADS) {
                state.begin_chunk(*start, *iterations);
                for iteration in *start..start + iterations {
                    if regions(iteration) {
                        state.take_turn(turn_of, Some(LOOKING), || false);
                        let before = slots.get(0);
                        assert!(before <= iteration as u32);
                        slots.set(0, iteration as u32 + 1);
                        state.end_region(turn_of);
                    }
                    state.end_iteration(turn_of);
                }
                state.end_chunk(turn_of, Some(LOOKING), || false);
            }
        });
    });
}

#[test]
fn ordered_regions_follow_each_other() {
    ordered_loop(&[(0, 1), (1, 2), (3, 1)], |_| true, 3);
}

#[test]
fn chunks_without_ordered_regions_pass_the_turn_on() {
    ordered_loop(&[(0, 2), (2, 1), (3, 1)], |iteration| iteration == 0 || iteration == 3, 3);
}
