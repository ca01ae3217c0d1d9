//! Cancelled groups: threads leave an interior barrier, and meet at the end all the same.
//!
//! `meet` copies `barrier_for` and `meet` of the core's `barrier::construct`, with `hear` and
//! `stays_as_last` of its `cancel::departure`; `end` copies `end` there. They do so by hand:
//! change both together.

use loom::sync::Arc;

use super::{ASLEEP, Slots, check, on_threads};
use crate::barrier::{Arrival, Barrier, Cancellation, Departure, Ended};
use crate::shim::yield_now;
use crate::task::{Begun, are_over};

struct Group {
    barrier: Barrier,
    cancellation: Cancellation,
    ended: Vec<Ended>,
    begun: Vec<Begun>,
    slots: Slots,
}

impl Group {
    fn new(size: usize) -> Self {
        Group {
            barrier: Barrier::new(size),
            cancellation: Cancellation::none(),
            ended: (0..size).map(|_| Ended::never(0)).collect(),
            begun: (0..size).map(|_| Begun::new()).collect(),
            slots: Slots::new(size),
        }
    }

    /// As `cancel::begun` of the core: whether a task begins, or is discarded.
    fn begins(&self, me: usize) -> bool {
        self.begun[me].begin();
        let begins = !self.cancellation.is_active();
        if !begins {
            self.begun[me].end();
        }
        begins
    }

    /// As `task::scheduler::await_begun` of the core, without tasks in queues.
    fn await_begun(&self) {
        let size = self.begun.len() as u32;
        while !are_over(|thread| &self.begun[thread as usize], size) {
            yield_now();
        }
    }

    fn cancel(&self, me: usize) {
        if self.cancellation.activate(self.barrier.epoch(me)) {
            self.barrier.call();
        }
    }

    /// An interior barrier. Returns whether it was complete; if not, the tasks that have begun are
    /// over.
    fn meet(&self, me: usize, departure: &Departure) -> bool {
        if self.cancellation.is_active() {
            self.await_begun();
            return false;
        }
        let seen = self.barrier.epoch(me);
        let last = self.barrier.arrive(me);
        if let Some(last) = last {
            if !self.cancellation.is_active() {
                self.barrier.release(last);
                return true;
            }
            departure.keep(Arrival { seen, last: Some(last) });
        } else if self.barrier.wait_or_hear(me, seen, ASLEEP)
            || self.barrier.wait_unless(me, seen, ASLEEP, &self.cancellation)
        {
            return true;
        } else {
            departure.keep(Arrival { seen, last: None });
        }
        self.await_begun();
        false
    }

    /// The meeting that ends the work `number`.
    fn end(&self, me: usize, departure: &Departure, number: u32) {
        let arrival = self.barrier.arrive_at_end(me, departure, &self.ended[me], number);
        let Some(last) = arrival.last else {
            return self.barrier.wait(me, arrival.seen, ASLEEP);
        };
        if self.cancellation.is_active() {
            for ended in &self.ended {
                ended.wait(number, ASLEEP);
            }
            self.barrier.hush();
        }
        self.barrier.release(last);
    }
}

/// Thread 0 cancels the work; the others come to an interior barrier. After the end every thread
/// sees what the others did after they had left that barrier. Then an uncancelled round is
/// complete.
fn a_cancelled_group_meets(size: usize, preemptions: usize) {
    check(preemptions, move || {
        let group = Arc::new(Group::new(size));
        on_threads(size, move |me| {
            let departure = Departure::none();
            if me == 0 {
                group.cancel(me);
            } else {
                assert!(!group.meet(me, &departure));
            }
            group.slots.set(me, 1);
            group.end(me, &departure, 1);
            assert_eq!(group.slots.get((me + 1) % size), 1);
        });
    });
}

#[test]
fn one_of_two_leaves() {
    a_cancelled_group_meets(2, 3);
}

/// Two threads may both have arrived, in different groups of the tree.
#[test]
fn two_of_three_leave() {
    a_cancelled_group_meets(3, 1);
}

/// The group's next work begins with clean counts: its interior barrier is complete.
#[test]
fn the_next_work_is_not_disturbed() {
    check(2, || {
        let group = Arc::new(Group::new(2));
        on_threads(2, move |me| {
            let departure = Departure::none();
            if me == 0 {
                group.cancel(me);
            } else {
                group.meet(me, &departure);
            }
            group.end(me, &departure, 1);
            // As between two regions: thread 0 prepares the group, then releases the other.
            if me == 0 {
                group.cancellation.clear();
            }
            group.barrier.pass(me, ASLEEP);
            group.slots.set(me, 2);
            assert!(group.meet(me, &departure));
            assert_eq!(group.slots.get(1 - me), 2);
            group.end(me, &departure, 2);
        });
    });
}

/// The thread that is released first cancels the work at once, while the word of the other threads
/// has still to be advanced: for them the barrier is complete.
#[test]
fn a_complete_barrier_is_not_left() {
    check(1, || {
        let group = Arc::new(Group::new(3));
        on_threads(3, move |me| {
            let departure = Departure::none();
            assert!(group.meet(me, &departure));
            if me == 2 {
                group.cancel(me);
            }
            group.slots.set(me, 1);
            group.end(me, &departure, 1);
            assert_eq!(group.slots.get((me + 1) % 3), 1);
        });
    });
}

/// A thread cancels the work and destroys a variable; another is about to begin a task that uses
/// the variable, then comes to an interior barrier.
#[test]
fn a_variable_outlives_the_tasks_that_have_begun() {
    check(3, || {
        let group = Arc::new(Group::new(2));
        on_threads(2, move |me| {
            let departure = Departure::none();
            if me == 0 {
                group.cancel(me);
                group.await_begun();
                group.slots.set(0, 1);
            } else {
                if group.begins(me) {
                    assert_eq!(group.slots.get(0), 0);
                    group.begun[me].end();
                }
                assert!(!group.meet(me, &departure));
            }
            group.end(me, &departure, 1);
        });
    });
}

/// A thread waits at an interior barrier while another begins a task that uses its variable and a
/// third cancels the work: it leaves the barrier, and destroys the variable, when the task is over.
#[test]
fn a_thread_leaves_a_barrier_after_the_tasks_that_have_begun() {
    check(1, || {
        let group = Arc::new(Group::new(3));
        on_threads(3, move |me| {
            let departure = Departure::none();
            match me {
                0 => group.cancel(me),
                1 => {
                    assert!(!group.meet(me, &departure));
                    group.slots.set(1, 1);
                }
                _ => {
                    if group.begins(me) {
                        assert_eq!(group.slots.get(1), 0);
                        group.begun[me].end();
                    }
                    assert!(!group.meet(me, &departure));
                }
            }
            group.end(me, &departure, 1);
        });
    });
}

/// A task goes on, and ends, on another thread than the one where it has begun.
#[test]
fn a_task_that_moves_is_over_at_its_end() {
    check(2, || {
        let group = Arc::new(Group::new(3));
        let (begins, part) = (group.begins(1), Arc::new(loom::sync::Mutex::new(false)));
        assert!(begins);
        on_threads(3, move |me| match me {
            0 => {
                group.cancel(me);
                group.await_begun();
                group.slots.set(0, 1);
            }
            1 => {
                assert_eq!(group.slots.get(0), 0);
                *part.lock().unwrap() = true;
            }
            _ => {
                while !*part.lock().unwrap() {
                    yield_now();
                }
                assert_eq!(group.slots.get(0), 0);
                group.begun[me].end();
            }
        });
    });
}
