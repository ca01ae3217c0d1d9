//! Dependences: generations tell those who wait, and exclusive tasks take turns.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use crate::exclusion::Exclusion;
use crate::generation::{Generation, Waits};
use crate::sync::yield_now;
use crate::wait::Wait;
use crate::{Slots, check, on_threads};

/// Who waits for one generation.
struct Waiter {
    waiting: AtomicU32,
}

/// A waiter and its wait, whose memory is overwritten as soon as it has been told.
struct Waiting {
    waiter: *mut Waiter,
    wait: *mut Wait<Waiter>,
}

impl Waiting {
    fn begin() -> Self {
        let waiter = Box::into_raw(Box::new(Waiter { waiting: AtomicU32::new(1) }));
        Waiting { waiter, wait: Box::into_raw(Box::new(Wait::new(waiter.cast_const()))) }
    }

    /// Returns when `generation` is over, if there is still something to wait for.
    fn join(self, is_known: bool) {
        // SAFETY: both are boxes, and nobody else's any more at the end. What is left of the wait is
        // no valid link.
        unsafe {
            while is_known && (*self.waiter).waiting.load(Acquire) != 0 {
                yield_now();
            }
            assert!(is_known || (*self.waiter).waiting.load(Relaxed) == 1);
            self.wait.cast::<u8>().write_bytes(0xff, size_of::<Wait<Waiter>>());
            drop(Box::from_raw(self.wait));
            drop(Box::from_raw(self.waiter));
        }
    }
}

fn tell(waits: Waits<Waiter>) {
    for waiter in waits {
        // SAFETY: it has not been told.
        assert_eq!(unsafe { (*waiter).waiting.fetch_sub(1, AcqRel) }, 1);
    }
}

/// Two members leave an open generation, and it is closed, while two come to wait: one before it is
/// closed, one after.
#[test]
fn who_waits_for_a_generation_is_told_once() {
    check(3, || {
        let shared = Arc::new((Generation::<Waiter>::new(1, true), Slots::new(2)));
        let (generation, slots) = &*shared;
        generation.join();
        let members: Vec<_> = (0..2)
            .map(|member| {
                let shared = shared.clone();
                thread::spawn(move || {
                    shared.1.set(member, 1);
                    tell(shared.0.leave());
                })
            })
            .collect();
        let waits = [(); 2].map(|()| Waiting::begin());
        let known: Vec<_> = waits
            .iter()
            .enumerate()
            .map(|(number, waiting)| {
                // SAFETY: the wait is there until `join`.
                let is_known = generation.wait(unsafe { &*waiting.wait });
                if number == 0 {
                    // It is open, so it cannot be over.
                    assert!(is_known);
                    tell(generation.leave());
                }
                is_known
            })
            .collect();
        for (waiting, is_known) in waits.into_iter().zip(known) {
            waiting.join(is_known);
            assert!(generation.is_over());
            assert_eq!((slots.get(0), slots.get(1)), (1, 1));
        }
        for member in members {
            member.join().unwrap();
        }
    });
}

/// Only the generating thread lets members join, so an open generation without any is clean.
#[test]
fn an_open_generation_without_members_shows_what_they_did() {
    loom::model(|| {
        let shared = Arc::new((Generation::<Waiter>::new(1, true), Slots::new(1)));
        let member = {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.1.set(0, 1);
                tell(shared.0.leave());
            })
        };
        if shared.0.has_no_members() {
            assert_eq!(shared.1.get(0), 1);
        }
        member.join().unwrap();
    });
}

/// Tasks that take both exclusions in order, as `ties::take_turns` does.
struct Exclusive {
    exclusions: [Exclusion<()>; 2],
    turns: Vec<[Wait<()>; 2]>,
    slots: Slots,
    ran: AtomicU32,
}

// SAFETY: as of `Ties`; loom checks the slots.
unsafe impl Sync for Exclusive {}
// SAFETY: as above.
unsafe impl Send for Exclusive {}

impl Exclusive {
    /// The waiter of a turn stands for its task and the exclusion.
    fn new(tasks: usize) -> Self {
        let turns = (0..tasks)
            .map(|task| [1, 2].map(|turn| Wait::new(ptr::without_provenance(task * 2 + turn))))
            .collect();
        let exclusions = [Exclusion::new(), Exclusion::new()];
        Exclusive { exclusions, turns, slots: Slots::new(2), ran: AtomicU32::new(0) }
    }

    fn take_turns(&self, task: usize, first: usize) {
        let has_all =
            (first..2).all(|index| self.exclusions[index].acquire(&self.turns[task][index]));
        if has_all {
            self.run(task);
        }
    }

    fn run(&self, _task: usize) {
        for index in 0..2 {
            self.slots.set(index, self.slots.get(index) + 1);
        }
        self.ran.fetch_add(1, Relaxed);
        for exclusion in &self.exclusions {
            if let Some(next) = exclusion.release() {
                // SAFETY: a turn that waited, of `turns`.
                let turn = unsafe { (*next).waiter }.addr() - 1;
                self.take_turns(turn / 2, turn % 2 + 1);
            }
        }
    }
}

fn exclusive_tasks_take_turns(tasks: usize, preemptions: usize) {
    check(preemptions, move || {
        let exclusive = Arc::new(Exclusive::new(tasks));
        let body = {
            let exclusive = exclusive.clone();
            move |task: usize| exclusive.take_turns(task, 0)
        };
        on_threads(tasks, body);
        assert_eq!(exclusive.ran.load(Relaxed), tasks as u32);
        assert_eq!((exclusive.slots.get(0), exclusive.slots.get(1)), (tasks as u32, tasks as u32));
    });
}

#[test]
fn two_exclusive_tasks_take_turns() {
    exclusive_tasks_take_turns(2, 4);
}

#[test]
fn three_exclusive_tasks_take_turns() {
    exclusive_tasks_take_turns(3, 2);
}
