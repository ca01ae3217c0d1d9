//! The gate alone: a helper queues a task that it does not count itself, and the thread that
//! completes that task closes the gate and waits for the helper.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use crate::shim::yield_now;
use crate::task::Gate;
use crate::task::Tally;

/// States of the word that stands for the task.
const RUNS: u32 = 0;
const IS_QUEUED: u32 = 1;
const IS_COMPLETE: u32 = 2;

/// A helper runs a part of an untied task and queues the next. The last thread to arrive at the
/// barrier runs that part, finds no task left, and closes the gate: the helper leaves, and the gate
/// stays closed.
#[test]
fn a_helper_that_queues_a_part_again_leaves_when_the_gate_closes() {
    super::check(3, || {
        let gate = Arc::new((Gate::new(), Tally::new(), AtomicU32::new(RUNS)));
        // The task was queued once before, so the gate is open.
        gate.0.admit(|| (), || ());
        assert!(gate.0.enter(&gate.1));
        let last = {
            let gate = gate.clone();
            thread::spawn(move || {
                let (gate, tally, task) = &*gate;
                while task.compare_exchange(IS_QUEUED, IS_COMPLETE, AcqRel, Acquire).is_err() {
                    yield_now();
                }
                gate.close(|_| tally, 1);
            })
        };
        let (gate, tally, task) = &*gate;
        gate.admit(|| (), || task.store(IS_QUEUED, Release));
        while gate.is_open() {
            yield_now();
        }
        gate.leave(tally);
        last.join().unwrap();
        assert!(!gate.is_open());
    });
}
