//! Loops in flight: each chunk once, and a slot is clean for its next loop.

use core::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use super::check;
use crate::Sole;
use crate::loops::{Cleaned, LoopRing};
use crate::patience::Patience;

/// Loops of the models share no further data.
struct Nothing;

impl Cleaned for Nothing {
    fn clean(_: Sole<&Self>) {}

    fn forget(&self, _: &crate::Alone) {}

    fn outlive_others(&self, _: &crate::Alone) {}
}

type Ring = LoopRing<Nothing>;

/// Takes every chunk of a loop of `chunks` that thread `me` of two can get, and counts each.
fn run_loop(ring: &Ring, number: u32, chunks: u64, me: u32, taken: &[AtomicU32]) {
    let patience = Patience { spins: 0, nanoseconds: None };
    let slot = ring.enter(number, patience, || false).expect("no thread cancels the work");
    let next = || {
        let own = slot.range(me);
        own.take(chunks, me, 2).or_else(|| slot.range(1 - me).steal(own, chunks, 1 - me, 2))
    };
    while let Some(chunk) = next() {
        taken[chunk as usize].fetch_add(1, Relaxed);
    }
    // SAFETY: each of two threads enters the loop once, and leaves it here.
    unsafe { slot.leave(number, 2) };
}

type Taken = Vec<Vec<AtomicU32>>;

fn run_loops(ring: &Ring, taken: &Taken, me: u32) {
    for (number, taken) in (0..).zip(taken) {
        run_loop(ring, number, taken.len() as u64, me, taken);
    }
}

/// With one slot, the second loop waits until both threads have left the first.
fn each_chunk_once(chunks: usize, loops: usize) {
    check(3, move || {
        let loop_counts = || (0..chunks).map(|_| AtomicU32::new(0)).collect();
        let taken: Taken = (0..loops).map(|_| loop_counts()).collect();
        let shared = Arc::new((Ring::new(2, || Nothing), taken));
        let other = {
            let shared = shared.clone();
            thread::spawn(move || run_loops(&shared.0, &shared.1, 1))
        };
        run_loops(&shared.0, &shared.1, 0);
        other.join().unwrap();
        for count in shared.1.iter().flatten() {
            assert_eq!(count.load(Relaxed), 1);
        }
    });
}

#[test]
fn chunks_are_taken_or_stolen_once() {
    each_chunk_once(3, 1);
}

#[test]
fn a_slot_is_clean_for_the_next_loop() {
    each_chunk_once(1, 2);
}
