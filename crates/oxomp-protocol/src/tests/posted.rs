//! Posted iterations on the machine: tables of every size, and more loops than there are epochs.

use crate::Sole;
use crate::loops::{Iteration, Posted, PostedRun, Shape};

/// Posts the iterations that `is_posted` names, and checks that these are the posted ones.
fn check(posted: &Posted, shape: Shape, count: u64, is_posted: impl Fn(u64) -> bool) {
    let run = PostedRun::new();
    posted.begin(&run, shape);
    // SAFETY: one thread is in the loop, until `clean`.
    let posting = unsafe { posted.in_loop(&run) };
    // SAFETY: the shape has more than `count` iterations.
    let at = |number: u64| unsafe { Iteration::at(number / shape.length, number % shape.length) };
    let vector = |number: u64| move || vec![number].into_boxed_slice();
    for number in 0..count {
        assert!(!posting.is_posted(at(number), vector(number)), "{number} of an earlier loop");
    }
    for number in (0..count).filter(|number| is_posted(*number)) {
        posting.post(at(number), vector(number));
    }
    for number in 0..count {
        assert_eq!(posting.is_posted(at(number), vector(number)), is_posted(number));
    }
    // SAFETY: the thread has left the loop.
    unsafe { Sole::of(posted) }.clean();
}

#[test]
fn each_iteration_has_an_entry_of_its_own() {
    let posted = Posted::new();
    // Tables that are kept, mapped tables, and the list.
    for rows in [1, 63, 1000, 2048, 2049, 16_384, 16_385, 70_000] {
        for length in [1, 2, 3] {
            let shape = Shape { rows: Some(rows), length };
            check(&posted, shape, rows * length, |number| number % 3 == 1);
            check(&posted, shape, rows * length, |number| number % shape.length == 0);
        }
    }
    check(&posted, Shape { rows: None, length: 1 }, 500, |number| number % 2 == 0);
    check(&posted, Shape { rows: Some(1 << 60), length: 1 << 60 }, 500, |number| number > 250);
}

#[test]
fn loops_after_the_last_epoch_begin_with_nothing_posted() {
    let posted = Posted::new();
    for number in 0..600 {
        let length = 1 + number % 2;
        check(&posted, Shape { rows: Some(40), length }, 40, |iteration| {
            iteration % 5 != number % 5
        });
    }
}
