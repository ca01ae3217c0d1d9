//! Cancelled groups: threads leave an interior barrier, and meet at the end all the same.

use core::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;

use super::team::{Here, Team, in_team};
use super::{ASLEEP, check, on_threads};
use crate::barrier::Departure;
use crate::meeting::{await_begun, end_and_wait};
use crate::shim::yield_now;

impl Here<'_> {
    /// Whether a task begins, or is discarded.
    fn begins(self) -> bool {
        self.team.begun[self.me].begin_unless(|| self.team.cancellation.is_active())
    }

    fn cancel(self) {
        self.team.barrier.cancel(self.me, &self.team.cancellation);
    }

    /// An interior barrier. Returns whether it was complete; if not, the tasks that have begun are
    /// over.
    fn meet_inside(self) -> bool {
        if self.team.cancellation.is_active() {
            await_begun(self);
            return false;
        }
        self.meet()
    }
}

/// Thread 0 cancels the work; the others come to an interior barrier. After the end every thread
/// sees what the others did after they had left that barrier. Then an uncancelled round is
/// complete.
fn a_cancelled_group_meets(size: usize, preemptions: usize) {
    check(preemptions, move || {
        in_team(&Team::cancellable(size), move |here| {
            let Here { team, me, .. } = here;
            if me == 0 {
                here.cancel();
            } else {
                assert!(!here.meet_inside());
            }
            team.slots.set(me, 1);
            end_and_wait(here);
            assert_eq!(team.slots.get((me + 1) % size), 1);
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
        in_team(&Team::cancellable(2), |here| {
            let Here { team, me, .. } = here;
            if me == 0 {
                here.cancel();
            } else {
                here.meet_inside();
            }
            end_and_wait(here);
            // As between two regions: thread 0 prepares the team, then releases the other.
            if me == 0 {
                team.prepare(2);
            }
            team.barrier.pass(me, ASLEEP);
            team.slots.set(me, 2);
            assert!(here.meet_inside());
            assert_eq!(team.slots.get(1 - me), 2);
            end_and_wait(here);
        });
    });
}

/// The thread that is released first cancels the work at once, while the word of the other threads
/// has still to be advanced: for them the barrier is complete.
#[test]
fn a_complete_barrier_is_not_left() {
    check(1, || {
        in_team(&Team::cancellable(3), |here| {
            let Here { team, me, .. } = here;
            assert!(here.meet_inside());
            if me == 2 {
                here.cancel();
            }
            team.slots.set(me, 1);
            end_and_wait(here);
            assert_eq!(team.slots.get((me + 1) % 3), 1);
        });
    });
}

/// A thread cancels the work and destroys a variable; another is about to begin a task that uses
/// the variable, then comes to an interior barrier.
#[test]
fn a_variable_outlives_the_tasks_that_have_begun() {
    check(3, || {
        in_team(&Team::cancellable(2), |here| {
            let Here { team, me, .. } = here;
            if me == 0 {
                here.cancel();
                await_begun(here);
                team.slots.set(0, 1);
            } else {
                if here.begins() {
                    assert_eq!(team.slots.get(0), 0);
                    team.begun[me].end();
                }
                assert!(!here.meet_inside());
            }
            end_and_wait(here);
        });
    });
}

/// A thread is at an interior barrier while another begins a task that uses its variable, or has
/// begun it, and a third cancels the work: it leaves the barrier, and destroys the variable, when
/// the task is over.
fn a_thread_leaves_a_barrier(has_begun: bool) {
    check(1, move || {
        let team = Team::cancellable(3);
        if has_begun {
            team.begun[2].begin();
        }
        in_team(&team, move |here| {
            let Here { team, me, .. } = here;
            match me {
                0 => here.cancel(),
                1 => {
                    assert!(!here.meet_inside());
                    team.slots.set(1, 1);
                }
                _ => {
                    if has_begun || here.begins() {
                        assert_eq!(team.slots.get(1), 0);
                        team.begun[me].end();
                    }
                    assert!(!here.meet_inside());
                }
            }
            end_and_wait(here);
        });
    });
}

#[test]
fn a_thread_leaves_a_barrier_after_the_tasks_that_begin() {
    a_thread_leaves_a_barrier(false);
}

#[test]
fn a_thread_leaves_a_barrier_after_the_tasks_that_have_begun() {
    a_thread_leaves_a_barrier(true);
}

/// A task goes on, and ends, on another thread than the one where it has begun.
#[test]
fn a_task_that_moves_is_over_at_its_end() {
    check(2, || {
        let team = Team::cancellable(3);
        assert!(Here { team: &team, me: 1, departure: &Departure::none() }.begins());
        let part = Arc::new(loom::sync::Mutex::new(false));
        on_threads(3, move |me| match me {
            0 => {
                let here = Here { team: &team, me, departure: &Departure::none() };
                here.cancel();
                await_begun(here);
                team.slots.set(0, 1);
            }
            1 => {
                assert_eq!(team.slots.get(0), 0);
                *part.lock().unwrap() = true;
            }
            _ => {
                while !*part.lock().unwrap() {
                    yield_now();
                }
                assert_eq!(team.slots.get(0), 0);
                team.begun[me].end();
            }
        });
    });
}

/// A cancelled part of the work ends at the next barrier, which is complete.
#[test]
fn a_barrier_ends_a_cancelled_part() {
    check(3, || {
        in_team(&Team::cancellable(2), |here| {
            let Here { team, me, .. } = here;
            if me == 0 {
                team.cancelled_part.store(1, Relaxed);
            }
            team.slots.set(me, 1);
            assert!(here.meet_inside());
            assert_eq!(team.cancelled_part.load(Relaxed), 0);
            assert_eq!(team.slots.get(1 - me), 1);
            end_and_wait(here);
        });
    });
}
