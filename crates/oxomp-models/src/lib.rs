//! Loom models of the protocols on which threads meet: every interleaving of few threads.
//!
//! The modules named by path are the runtime's own files, compiled with `cfg(loom)`: the same code
//! on loom's atomics, with groups of two and a kernel made of a condition variable. What a file
//! needs beyond `crate::sync` is left out of it by that cfg. Run with `cargo test -p oxomp-models`.

#![cfg(test)]
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the models use a part of what the runtime's files offer"
)]
#![allow(
    clippy::modulo_one,
    reason = "one slot for loops in flight, so that it is used again soon"
)]

#[path = "../../oxomp-core/src/barrier/mod.rs"]
mod barrier;
#[path = "../../oxomp-core/src/task/children.rs"]
mod children;
#[path = "../../oxomp-core/src/task/depend/count.rs"]
mod count;
#[path = "../../oxomp-core/src/task/deque.rs"]
mod deque;
#[path = "../../oxomp-core/src/task/detach.rs"]
mod detach;
#[path = "../../oxomp-core/src/task/depend/exclusion.rs"]
mod exclusion;
#[path = "../../oxomp-core/src/task/gate.rs"]
mod gate;
#[path = "../../oxomp-core/src/task/depend/generation.rs"]
mod generation;
#[path = "../../oxomp-core/src/task/lineage.rs"]
mod lineage;
#[path = "../../oxomp-core/src/mutex/owner_word.rs"]
mod owner_word;
#[path = "../../oxomp-core/src/task/returned.rs"]
mod returned;
#[path = "../../oxomp-core/src/worksharing/ring.rs"]
mod ring;
#[path = "../../oxomp-core/src/mutex/spin.rs"]
mod spin;
#[path = "../../oxomp-core/src/worksharing/steal.rs"]
mod steal;
#[path = "../../oxomp-core/src/sync/mod.rs"]
mod sync;
#[path = "../../oxomp-core/src/task/tally.rs"]
mod tally;
#[path = "../../oxomp-core/src/reduction/tree.rs"]
mod tree;
#[path = "../../oxomp-core/src/worksharing/turn.rs"]
mod turn;
#[path = "../../oxomp-core/src/task/unfinished.rs"]
mod unfinished;
#[path = "../../oxomp-core/src/task/depend/wait.rs"]
mod wait;

mod barrier_models;
mod call_models;
mod dependence_models;
mod deque_models;
mod gate_models;
mod lock_models;
mod loop_models;
mod rendezvous_models;
mod task_models;
mod turn_models;

/// Checks all interleavings with at most `preemptions` preemptions of a thread that could go on.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    // Threads that look for tasks pass many.
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

/// A waiter that goes to sleep at once: the path with the most that can go wrong.
const ASLEEP: sync::Patience = sync::Patience { spins: 0, nanoseconds: Some(0) };

/// One plain cell a thread: loom fails where the protocol does not order the accesses.
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
