//! Doacross loops: a thread that finds an iteration posted sees what it did, and no iteration of an
//! earlier loop counts as posted.

use loom::sync::Arc;

use super::{Slots, check, on_threads};
use crate::loops::{Cleaned, Iteration, LoopRing, Posted, PostedRun, Shape};
use crate::patience::Patience;
use crate::{Alone, Sole};

const LOOKING: Patience = Patience { spins: 0, nanoseconds: None };

struct Shared(Posted);

impl Cleaned for Shared {
    fn clean(data: Sole<&Self>) {
        // SAFETY: a part of what no other thread uses.
        unsafe { Sole::of(&data.0) }.clean();
    }

    fn forget(&self, _: &Alone) {}

    fn outlive_others(&self, _: &Alone) {}
}

/// Two threads execute the iterations of `loops` doacross loops, of which each is the iteration's
/// predecessor in its row, and the one above it: iteration `n` belongs to thread `owners[n]`, and
/// writes its cell. The ring has one slot, and the last epoch is 2.
fn doacross(shape: Shape, owners: &'static [usize], loops: u32, preemptions: usize) {
    check(preemptions, move || {
        let ring = LoopRing::new(2, || Shared(Posted::new()));
        let shared = Arc::new((ring, Slots::new(owners.len())));
        on_threads(2, move |me| {
            let (ring, cells) = &*shared;
            let run = PostedRun::new();
            for number in 0..loops {
                let slot =
                    ring.enter(number, LOOKING, || false).expect("no thread cancels the work");
                let posted = &slot.extra().0;
                posted.begin(&run, shape);
                // SAFETY: the thread is in the loop until `leave`; both begin it with `shape`.
                let posting = unsafe { posted.in_loop(&run) };
                for (index, _) in owners.iter().enumerate().filter(|(_, owner)| **owner == me) {
                    let place = |index: u64| (index / shape.length, index % shape.length);
                    // SAFETY: the shape has as many iterations as there are owners.
                    let at = |index| unsafe { Iteration::at(place(index).0, place(index).1) };
                    let (row, column) = place(index as u64);
                    let before = [
                        (column > 0).then(|| index - 1),
                        (row > 0).then(|| index - shape.length as usize),
                    ];
                    let mut most = 0;
                    for sink in before.into_iter().flatten() {
                        let vector = || vec![sink as u64].into_boxed_slice();
                        posting.wait(at(sink as u64), vector, LOOKING, || false);
                        most = most.max(cells.get(sink));
                        assert_eq!(cells.get(sink) / 100, number + 1);
                    }
                    cells.set(index, 100 * (number + 1) + (most + 1) % 100);
                    posting.post(at(index as u64), || vec![index as u64].into_boxed_slice());
                }
                // SAFETY: each of two threads enters the loop once, and leaves it here.
                unsafe { slot.leave(number, 2) };
            }
        });
    });
}

/// Each thread has a row, whose iterations it counts in the row's word.
#[test]
fn rows_follow_each_other() {
    doacross(Shape { rows: Some(2), length: 2 }, &[0, 0, 1, 1], 1, 3);
}

#[test]
fn iterations_of_a_single_loop_follow_each_other() {
    doacross(Shape { rows: Some(4), length: 1 }, &[0, 1, 0, 1], 1, 3);
}

/// The thread that has a row's first iteration counts its own; the others have flags.
#[test]
fn a_row_may_be_shared_out() {
    doacross(Shape { rows: Some(2), length: 2 }, &[0, 1, 1, 0], 1, 3);
    doacross(Shape { rows: Some(1), length: 4 }, &[0, 1, 0, 1], 1, 2);
}

/// A table that is not kept is freed when the last thread leaves.
#[test]
fn tables_of_earlier_loops_are_empty() {
    doacross(Shape { rows: Some(2), length: 1 }, &[0, 1], 3, 2);
    doacross(Shape { rows: Some(3), length: 2 }, &[0, 0, 1, 1, 0, 0], 2, 1);
}

#[test]
fn a_space_without_a_number_of_rows_has_a_list() {
    doacross(Shape { rows: None, length: 1 }, &[0, 1], 2, 2);
}
