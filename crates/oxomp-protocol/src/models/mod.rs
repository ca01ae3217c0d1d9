//! Loom models of the protocols: every interleaving of few threads, of the crate's own code on
//! loom's atomics, with groups of two and a kernel made of a condition variable (`shim`). Run with
//! `cargo xtask test --only models`.

mod barrier;
mod call;
mod departure;
mod dependence;
mod deque;
mod gate;
mod lock;
mod loops;
mod once;
mod posted;
mod quota;
mod rendezvous;
mod task;
mod team;
mod turn;

use crate::patience::Patience;

/// Checks all interleavings with at most `preemptions` preemptions of a thread that could go on.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    // Threads that look for tasks take many branches.
    builder.max_branches = 10_000;
    builder.check(model);
}

/// Runs `body` with each number below `threads`, 0 on this thread, and waits for all.
fn on_threads(threads: usize, body: impl Fn(usize) + Clone + Send + 'static) {
    let others: Vec<_> = (1..threads)
        .map(|me| {
            let body = body.clone();
            loom::thread::spawn(move || body(me))
        })
        .collect();
    body(0);
    for other in others {
        other.join().unwrap();
    }
}

/// A waiter that goes to sleep at once, the path with the most races.
const ASLEEP: Patience = Patience { spins: 0, nanoseconds: Some(0) };

/// One plain cell per thread: loom fails where the protocol does not order the accesses.
struct Slots(Vec<loom::cell::UnsafeCell<u32>>);

// SAFETY: loom checks every access.
unsafe impl Sync for Slots {}
// SAFETY: as above.
unsafe impl Send for Slots {}

impl Slots {
    fn new(count: usize) -> Self {
        Slots((0..count).map(|_| loom::cell::UnsafeCell::new(0)).collect())
    }

    fn set(&self, index: usize, value: u32) {
        // SAFETY: loom reports a race.
        self.0[index].with_mut(|slot| unsafe { *slot = value });
    }

    fn get(&self, index: usize) -> u32 {
        // SAFETY: loom reports a race.
        self.0[index].with(|slot| unsafe { *slot })
    }
}
