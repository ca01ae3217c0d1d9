//! A barrier with tasks: threads that have arrived help until the last thread finds that no task is
//! left.

use core::sync::atomic::Ordering::{Relaxed, Release};

use loom::thread;

use super::team::{Here, Team, in_team};
use super::{ASLEEP, check};
use crate::barrier::Departure;
use crate::meeting::execute_all;
use crate::meeting::meet::wait;

/// One thread makes a task that makes two, one more than the deque has room for.
#[test]
fn a_barrier_ends_after_the_tasks_that_tasks_make() {
    check(1, || {
        let team = Team::with_tasks(2, 3, |task| if task == 0 { 1..3 } else { 0..0 });
        in_team(&team, |here| {
            if here.me == 0 {
                here.make(0);
            }
            here.meet();
            here.team.have_run(0..3);
            if here.me == 0 {
                here.team.nobody_looks();
            }
        });
    });
}

/// One thread makes a task before the first barrier, the other before the second. A helper that
/// has seen the call for the first and comes late does not stay for the second.
#[test]
fn a_helper_that_is_late_does_not_stay() {
    check(2, || {
        let team = Team::with_tasks(2, 2, |_| 0..0);
        in_team(&team, |here| {
            if here.me == 0 {
                here.make(0);
            }
            here.meet();
            here.team.have_run(0..1);
            if here.me == 1 {
                here.team.nobody_looks();
                here.make(1);
            }
            here.meet();
            here.team.have_run(0..2);
        });
    });
}

/// With `FAN_IN` 2 the third thread is released first, and makes a task and calls while the second
/// is not released. The second thread may help, but goes on to the next barrier. No thread stays
/// there in the model.
#[test]
fn tasks_of_the_next_phase_while_the_barrier_is_released() {
    fn arrive(here: Here<'_>) {
        if here.team.barrier.arrive(here.me).is_some() {
            execute_all(here, here.team);
            here.team.have_run(0..1);
            here.team.nobody_looks();
        }
    }

    check(2, || {
        let team = Team::with_tasks(3, 1, |_| 0..0);
        let seen: Vec<_> = (0..3).map(|me| team.barrier.epoch(me)).collect();
        assert!(team.barrier.arrive(1).is_none() && team.barrier.arrive(2).is_none());
        let others = [1, 2].map(|me| {
            let (team, seen) = (team.clone(), seen[me]);
            thread::spawn(move || {
                let here = Here { team: &team, me, departure: &Departure::none() };
                if me == 1 {
                    wait(here, &team.barrier, me, seen, ASLEEP);
                } else {
                    team.barrier.wait(2, seen, ASLEEP);
                    here.make(0);
                }
                arrive(here);
            })
        });
        team.barrier.release(team.barrier.arrive(0).expect("the last to arrive"));
        arrive(Here { team: &team, me: 0, departure: &Departure::none() });
        for other in others {
            other.join().unwrap();
        }
        team.have_run(0..1);
    });
}

/// A task that the tallies do not count is completed by a thread that is not of the team.
fn a_barrier_ends_after_what_is_outstanding(is_alone: bool) {
    check(1, move || {
        let team = Team::with_tasks(2, 2, |_| 0..0);
        team.outstanding.fetch_add(1, Relaxed);
        let foreign = {
            let team = team.clone();
            thread::spawn(move || {
                team.slots.set(1, 1);
                team.outstanding.fetch_sub(1, Release);
            })
        };
        in_team(&team, move |here| {
            if here.me == 1 && !is_alone {
                here.make(0);
            }
            here.meet();
            here.team.have_run(usize::from(is_alone)..2);
            if here.me == 0 {
                here.team.nobody_looks();
            }
        });
        foreign.join().unwrap();
    });
}

#[test]
fn a_barrier_with_tasks_ends_after_what_is_outstanding() {
    a_barrier_ends_after_what_is_outstanding(false);
}

/// The gate is closed throughout.
#[test]
fn a_barrier_without_others_ends_after_what_is_outstanding() {
    a_barrier_ends_after_what_is_outstanding(true);
}

/// A thread that is not of the team completes a task that the tallies do not count, and so makes
/// another one ready.
#[test]
fn a_barrier_ends_after_what_a_foreign_thread_makes_ready() {
    check(1, || {
        let team = Team::with_tasks(2, 1, |_| 0..0);
        team.outstanding.fetch_add(1, Relaxed);
        // The dependent task has been made, and waits in no queue.
        team.tallies[0].make();
        let foreign = {
            let team = team.clone();
            thread::spawn(move || {
                team.make_ready(None, 0);
                team.outstanding.fetch_sub(1, Release);
            })
        };
        in_team(&team, |here| {
            here.meet();
            here.team.have_run(0..1);
            if here.me == 0 {
                here.team.nobody_looks();
            }
        });
        foreign.join().unwrap();
    });
}
