//! A barrier with tasks: threads that have arrived help until the last thread finds that no task is
//! left. Barrier, gate, tallies and deques are the crate's; the code between them follows the
//! core's `barrier::construct::meet` and `task::scheduler` line by line.

use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, Release};

use loom::sync::atomic::AtomicU32;
use loom::sync::{Arc, Mutex};
use loom::thread;

use super::{ASLEEP, Slots, check, on_threads};
use crate::Owner;
use crate::barrier::Barrier;
use crate::barrier::Epoch;
use crate::shim::yield_now;
use crate::task::Gate;
use crate::task::{Deque, Stolen};
use crate::task::{Tally, is_quiescent};

/// A team whose tasks are numbers; `makes` says which tasks a task makes.
struct Team {
    barrier: Barrier,
    gate: Gate,
    deques: Vec<Deque<u32>>,
    tallies: Vec<Tally>,
    outstanding: AtomicU32,
    /// The team's queue, and how many tasks are in it, for threads that do not hold the lock.
    queue: Mutex<Vec<usize>>,
    queued: AtomicU32,
    makes: fn(usize) -> core::ops::Range<usize>,
    /// The cells that tasks write.
    slots: Slots,
    /// Read by threads that look into deques at a barrier, written by the thread that has closed
    /// the gate.
    look: loom::cell::UnsafeCell<()>,
}

// SAFETY: as of the runtime's team; loom checks the cells.
unsafe impl Sync for Team {}
// SAFETY: as above.
unsafe impl Send for Team {}

impl Team {
    fn new(size: usize, tasks: usize, makes: fn(usize) -> core::ops::Range<usize>) -> Arc<Self> {
        Arc::new(Team {
            barrier: Barrier::new(size),
            gate: Gate::new(),
            deques: (0..size).map(|_| Deque::new()).collect(),
            tallies: (0..size).map(|_| Tally::new()).collect(),
            outstanding: AtomicU32::new(0),
            queue: Mutex::new(Vec::new()),
            queued: AtomicU32::new(0),
            makes,
            slots: Slots::new(tasks),
            look: loom::cell::UnsafeCell::new(()),
        })
    }

    fn size(&self) -> u32 {
        self.tallies.len() as u32
    }

    /// The deque of thread `me`, which calls this.
    fn own_deque(&self, me: usize) -> Owner<&Deque<u32>> {
        // SAFETY: each thread of the model has a number of its own.
        unsafe { Owner::of(&self.deques[me]) }
    }

    fn make(&self, me: usize, task: usize) {
        self.tallies[me].make();
        if !self.own_deque(me).has_room() {
            self.run(me, task);
            return;
        }
        self.make_ready(Some(me), task);
    }

    /// Queues `task`: by thread `me` of the team, or by a thread that is not of the team.
    fn make_ready(&self, me: Option<usize>, task: usize) {
        self.gate.admit(
            || self.barrier.call(),
            || match me {
                Some(me) if self.own_deque(me).has_room() => {
                    self.own_deque(me).push(ptr::without_provenance_mut(task + 1));
                }
                _ => {
                    let mut queue = self.queue.lock().unwrap();
                    queue.push(task);
                    self.queued.store(queue.len() as u32, Relaxed);
                }
            },
        );
    }

    fn run(&self, me: usize, task: usize) {
        self.slots.set(task, self.slots.get(task) + 1);
        for child in (self.makes)(task) {
            self.make(me, child);
        }
        self.tallies[me].complete();
    }

    fn find(&self, me: usize) -> Option<usize> {
        self.look.with(|_| ());
        if self.queued.load(Relaxed) != 0 {
            let mut queue = self.queue.lock().unwrap();
            let task = queue.pop();
            self.queued.store(queue.len() as u32, Relaxed);
            if task.is_some() {
                return task;
            }
        }
        let entry = self.own_deque(me).pop().or_else(|| {
            let others = (0..self.deques.len()).filter(|other| *other != me);
            others.map(|other| &self.deques[other]).find_map(|deque| {
                if deque.looks_empty() {
                    return None;
                }
                match deque.steal(|_| true) {
                    Stolen::Entry(entry) => Some(entry),
                    _ => None,
                }
            })
        });
        entry.map(|entry| entry.addr() - 1)
    }

    fn help_until_released(&self, me: usize, seen: Epoch) {
        if !self.gate.enter(&self.tallies[me]) {
            return;
        }
        while self.gate.is_open() && !self.barrier.is_past(me, seen) {
            match self.find(me) {
                Some(task) => self.run(me, task),
                None => yield_now(),
            }
        }
        self.gate.leave(&self.tallies[me]);
    }

    fn run_all(&self, me: usize) {
        if !self.gate.may_hide_tasks(&self.outstanding) {
            return;
        }
        let tally = |thread_num: u32| &self.tallies[thread_num as usize];
        loop {
            if let Some(task) = self.find(me) {
                self.run(me, task);
            } else if is_quiescent(tally, self.size(), &self.outstanding) {
                break;
            } else {
                yield_now();
            }
        }
        if self.gate.is_open() {
            self.gate.close(tally, self.size());
            self.barrier.hush();
        }
        self.look.with_mut(|_| ());
    }

    fn meet(&self, me: usize) {
        let seen = self.barrier.epoch(me);
        match self.barrier.arrive(me) {
            Some(last) => {
                self.run_all(me);
                self.barrier.release(last);
            }
            None => self.wait(me, seen),
        }
    }

    fn wait(&self, me: usize, seen: Epoch) {
        if !self.barrier.wait_or_hear(me, seen, ASLEEP) {
            self.help_until_released(me, seen);
            self.barrier.wait(me, seen, ASLEEP);
        }
    }

    /// The tasks have run once each, and the caller sees all that they wrote.
    fn have_run(&self, tasks: core::ops::Range<usize>) {
        for task in tasks {
            assert_eq!(self.slots.get(task), 1);
        }
    }
}

fn in_team(team: &Arc<Team>, body: impl Fn(&Team, usize) + Send + Sync + Copy + 'static) {
    let members = team.clone();
    on_threads(team.tallies.len(), move |me| body(&members, me));
}

/// One thread makes a task that makes two, one more than the deque has room for.
#[test]
fn a_barrier_ends_after_the_tasks_that_tasks_make() {
    check(1, || {
        let team = Team::new(2, 3, |task| if task == 0 { 1..3 } else { 0..0 });
        in_team(&team, |team, me| {
            if me == 0 {
                team.make(0, 0);
            }
            team.meet(me);
            team.have_run(0..3);
        });
    });
}

/// One thread makes a task before the first barrier, the other before the second. A helper that
/// has heard of the first and comes late does not stay for the second.
#[test]
fn a_helper_that_is_late_does_not_stay() {
    check(2, || {
        let team = Team::new(2, 2, |_| 0..0);
        in_team(&team, |team, me| {
            if me == 0 {
                team.make(0, 0);
            }
            team.meet(me);
            team.have_run(0..1);
            if me == 1 {
                team.make(1, 1);
            }
            team.meet(me);
            team.have_run(0..2);
        });
    });
}

/// With `FAN_IN` 2 the third thread is released first, and makes a task and calls while the second
/// is not released. The second thread may help, but goes on to the next barrier. No thread stays
/// there in the model.
#[test]
fn tasks_of_the_next_phase_while_the_barrier_is_released() {
    fn arrive(team: &Team, me: usize) {
        if team.barrier.arrive(me).is_some() {
            team.run_all(me);
            team.have_run(0..1);
        }
    }

    check(2, || {
        let team = Team::new(3, 1, |_| 0..0);
        let seen: Vec<_> = (0..3).map(|me| team.barrier.epoch(me)).collect();
        assert!(team.barrier.arrive(1).is_none() && team.barrier.arrive(2).is_none());
        let second = {
            let (team, seen) = (team.clone(), seen[1]);
            thread::spawn(move || {
                team.wait(1, seen);
                arrive(&team, 1);
            })
        };
        let third = {
            let (team, seen) = (team.clone(), seen[2]);
            thread::spawn(move || {
                team.barrier.wait(2, seen, ASLEEP);
                team.make(2, 0);
                arrive(&team, 2);
            })
        };
        team.barrier.release(team.barrier.arrive(0).expect("the last to arrive"));
        arrive(&team, 0);
        second.join().unwrap();
        third.join().unwrap();
        team.have_run(0..1);
    });
}

/// A task that the tallies do not count is completed by a thread that is not of the team.
fn a_barrier_ends_after_what_is_outstanding(is_alone: bool) {
    check(1, move || {
        let team = Team::new(2, 2, |_| 0..0);
        team.outstanding.fetch_add(1, Relaxed);
        let foreign = {
            let team = team.clone();
            thread::spawn(move || {
                team.slots.set(1, 1);
                team.outstanding.fetch_sub(1, Release);
            })
        };
        in_team(&team, move |team, me| {
            if me == 1 && !is_alone {
                team.make(1, 0);
            }
            team.meet(me);
            team.have_run(usize::from(is_alone)..2);
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
        let team = Team::new(2, 1, |_| 0..0);
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
        in_team(&team, |team, me| {
            team.meet(me);
            team.have_run(0..1);
        });
        foreign.join().unwrap();
    });
}
