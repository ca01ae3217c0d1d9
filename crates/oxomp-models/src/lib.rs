//! Loom models of the protocols on which threads meet: every interleaving of few threads.
//!
//! The modules named by path are the runtime's own files, compiled with `cfg(loom)`: the same code
//! on loom's atomics, with groups of two and a kernel made of a condition variable. What a file
//! needs beyond `crate::sync` is left out of it by that cfg. Run with `cargo test -p oxomp-models`.

#![cfg(test)]
#![allow(
    dead_code,
    unused_imports,
    reason = "the models use a part of what the runtime's files offer"
)]
#![allow(
    clippy::modulo_one,
    reason = "one slot for loops in flight, so that it is used again soon"
)]

#[path = "../../oxomp-core/src/barrier/mod.rs"]
mod barrier;
#[path = "../../oxomp-core/src/mutex/owner_word.rs"]
mod owner_word;
#[path = "../../oxomp-core/src/worksharing/ring.rs"]
mod ring;
#[path = "../../oxomp-core/src/mutex/spin.rs"]
mod spin;
#[path = "../../oxomp-core/src/worksharing/steal.rs"]
mod steal;
#[path = "../../oxomp-core/src/sync/mod.rs"]
mod sync;

mod barrier_models;
mod lock_models;
mod loop_models;

/// Checks all interleavings with at most `preemptions` preemptions of a thread that could go on.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

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
