//! The barrier on the machine: no thread passes early, whether threads yield or sleep.

use crate::barrier::Barrier;
use crate::patience::Patience;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn nobody_passes_early(size: usize, patience: Patience) {
    const ROUNDS: usize = 300;
    let barrier = Barrier::new(size);
    let arrived = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for me in 0..size {
            let (barrier, arrived) = (&barrier, &arrived);
            scope.spawn(move || {
                for round in 1..=ROUNDS {
                    arrived.fetch_add(1, Relaxed);
                    barrier.pass(me, patience);
                    assert!(arrived.load(Relaxed) >= round * size);
                }
            });
        }
    });
    assert_eq!(arrived.load(Relaxed), ROUNDS * size);
}

#[test]
fn nobody_passes_before_the_last_arrives() {
    let yielding = Patience { spins: 4, nanoseconds: Some(u64::MAX) };
    let sleeping = Patience { spins: 0, nanoseconds: Some(0) };
    for size in [1, 2, 3, 8, 9, 17, 65] {
        nobody_passes_early(size, yielding);
        nobody_passes_early(size, sleeping);
    }
}
