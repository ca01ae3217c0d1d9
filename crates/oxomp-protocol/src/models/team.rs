//! The team of the models: threads that meet at a barrier by the functions of `meeting`, which are
//! those that the core calls.

use core::ops::Range;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use loom::sync::atomic::AtomicU32;
use loom::sync::{Arc, Mutex};

use super::{ASLEEP, Slots, on_threads};
use crate::Owner;
use crate::barrier::{Barrier, Cancellation, Departure, Ended};
use crate::meeting::{self, Group, Member};
use crate::patience::Patience;
use crate::shim::yield_now;
use crate::task::{Begun, Deque, Gate, Search, Tally, are_over, find_in_deques, find_task};

/// The threads' part in tasks and barriers.
pub(super) struct Team {
    pub(super) barrier: Barrier,
    gate: Gate,
    pub(super) tallies: Vec<Tally>,
    pub(super) outstanding: AtomicU32,
    /// Absent where a model has no tasks in queues.
    queues: Option<Queues>,
    pub(super) begun: Vec<Begun>,
    is_cancellable: bool,
    pub(super) cancellation: Cancellation,
    /// 1 if a part of the work is cancelled, which ends at the next barrier.
    pub(super) cancelled_part: AtomicU32,
    /// The number of the work, which thread 0 writes between two works.
    work: Slots,
    ended: Vec<Ended>,
    /// The cells that threads and tasks write.
    pub(super) slots: Slots,
}

/// Where ready tasks wait. Tasks are numbers.
struct Queues {
    deques: Vec<Deque<u32>>,
    /// The queue of the team, and how many tasks are in it, for threads that do not hold the lock.
    queue: Mutex<Vec<usize>>,
    queued: AtomicU32,
    /// The tasks that a task makes.
    makes: fn(usize) -> Range<usize>,
    /// A cell that each thread reads when it looks for tasks, and that the thread which releases a
    /// barrier writes.
    look: Slots,
}

impl Team {
    fn new(size: usize, slots: usize, queues: Option<Queues>, is_cancellable: bool) -> Arc<Self> {
        let work = Slots::new(1);
        work.set(0, 1);
        Arc::new(Team {
            barrier: Barrier::new(size),
            gate: Gate::new(),
            tallies: (0..size).map(|_| Tally::new()).collect(),
            outstanding: AtomicU32::new(0),
            queues,
            begun: (0..size).map(|_| Begun::new()).collect(),
            is_cancellable,
            cancellation: Cancellation::none(),
            cancelled_part: AtomicU32::new(0),
            work,
            ended: (0..size).map(|_| Ended::never(0)).collect(),
            slots: Slots::new(slots),
        })
    }

    /// A team with `tasks` tasks, each with a slot; `makes` says which tasks a task makes.
    pub(super) fn with_tasks(
        size: usize,
        tasks: usize,
        makes: fn(usize) -> Range<usize>,
    ) -> Arc<Self> {
        let queues = Queues {
            deques: (0..size).map(|_| Deque::new()).collect(),
            queue: Mutex::new(Vec::new()),
            queued: AtomicU32::new(0),
            makes,
            look: Slots::new(1),
        };
        Team::new(size, tasks, Some(queues), false)
    }

    /// A team whose work may be cancelled, without tasks in queues. Each thread has a slot.
    pub(super) fn cancellable(size: usize) -> Arc<Self> {
        Team::new(size, size, None, true)
    }

    /// Between two works: thread 0 prepares the team for the work `number`.
    pub(super) fn prepare(&self, number: u32) {
        self.cancellation.clear();
        self.work.set(0, number);
    }

    fn queues(&self) -> &Queues {
        self.queues.as_ref().expect("the model has tasks")
    }

    /// Queues `task`: on a thread of the team, or on another one.
    pub(super) fn make_ready(&self, here: Option<Here<'_>>, task: usize) {
        let queues = self.queues();
        self.gate.admit(
            || self.barrier.call(),
            || match here.map(Here::own_deque) {
                Some(own) if own.has_room() => own.push(ptr::without_provenance_mut(task + 1)),
                _ => {
                    let mut queue = queues.queue.lock().unwrap();
                    queue.push(task);
                    queues.queued.store(queue.len() as u32, Relaxed);
                }
            },
        );
    }

    /// The tasks have run once each, and the calling thread sees all that they wrote.
    pub(super) fn have_run(&self, tasks: Range<usize>) {
        for task in tasks {
            assert_eq!(self.slots.get(task), 1);
        }
    }

    /// No thread looks for tasks at the barrier that the calling thread has passed, or is about to
    /// release. Not where other threads may have made tasks since.
    pub(super) fn nobody_looks(&self) {
        self.queues().look.set(0, 1);
    }
}

/// Runs `body` on each thread of the team.
pub(super) fn in_team(team: &Arc<Team>, body: impl Fn(Here<'_>) + Send + Sync + Copy + 'static) {
    let members = team.clone();
    on_threads(team.tallies.len(), move |me| {
        body(Here { team: &members, me, departure: &Departure::none() });
    });
}

/// A thread of the team.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub(super) team: &'a Team,
    pub(super) me: usize,
    pub(super) departure: &'a Departure,
}

impl<'a> Here<'a> {
    fn own_deque(self) -> Owner<&'a Deque<u32>> {
        // SAFETY: each thread of the model has a number of its own.
        unsafe { Owner::of(&self.team.queues().deques[self.me]) }
    }

    pub(super) fn meet(self) -> bool {
        meeting::meet(self, self.team)
    }

    /// Makes a task, and executes it at once if there is no room for it.
    pub(super) fn make(self, task: usize) {
        self.team.tallies[self.me].make();
        if self.own_deque().has_room() {
            self.team.make_ready(Some(self), task);
        } else {
            self.execute(task);
        }
    }

    fn execute(self, task: usize) {
        let Team { slots, tallies, .. } = self.team;
        slots.set(task, slots.get(task) + 1);
        for child in (self.team.queues().makes)(task) {
            self.make(child);
        }
        tallies[self.me].complete();
    }

    fn find(self, queues: &Queues) -> Option<usize> {
        queues.look.get(0);
        let take_queued = || {
            let mut queue = queues.queue.lock().unwrap();
            let task = queue.pop();
            queues.queued.store(queue.len() as u32, Relaxed);
            task
        };
        find_task(queues.queued.load(Relaxed) == 0, take_queued, || find_in_deques(self))
    }
}

impl Search for Here<'_> {
    type Task = usize;

    fn size(self) -> u32 {
        self.team.tallies.len() as u32
    }

    fn number(self) -> u32 {
        self.me as u32
    }

    fn pop(self) -> Option<usize> {
        self.own_deque().pop().map(number)
    }

    fn steal(self, victim: u32) -> Option<usize> {
        self.team.queues().deques[victim as usize].steal_in_passing(|_| true).map(number)
    }

    /// The threads do not remember their victims.
    fn victim(self) -> u32 {
        0
    }

    fn set_victim(self, _: u32) {}
}

/// The task behind an entry of a deque.
fn number(entry: *mut u32) -> usize {
    entry.addr() - 1
}

impl Group for Team {
    fn size(&self) -> u32 {
        self.tallies.len() as u32
    }

    fn barrier(&self) -> &Barrier {
        &self.barrier
    }

    fn patience(&self) -> Patience {
        ASLEEP
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn outstanding(&self) -> &AtomicU32 {
        &self.outstanding
    }

    fn tally(&self, number: u32) -> &Tally {
        &self.tallies[number as usize]
    }

    fn is_cancellable(&self) -> bool {
        self.is_cancellable
    }

    fn has_cancelled(&self) -> bool {
        self.is_cancellable
            && (self.cancelled_part.load(Relaxed) != 0 || self.cancellation.is_active())
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn end_cancelled_part(&self) {
        if self.cancelled_part.load(Relaxed) != 0 {
            self.cancelled_part.store(0, Relaxed);
        }
    }

    fn work(&self) -> u32 {
        self.work.get(0)
    }

    fn ended(&self, number: u32) -> &Ended {
        &self.ended[number as usize]
    }
}

impl Member for Here<'_> {
    type Group = Team;
    type Stay = Self;

    fn group(&self) -> &Team {
        self.team
    }

    fn number(self) -> usize {
        self.me
    }

    fn tally(&self) -> &Tally {
        &self.team.tallies[self.me]
    }

    fn departure(&self) -> &Departure {
        self.departure
    }

    fn ended(&self) -> &Ended {
        &self.team.ended[self.me]
    }

    fn stay(self) -> Self {
        self
    }

    fn begun_are_over(self) -> bool {
        let begun = &self.team.begun;
        are_over(|thread| &begun[thread as usize], begun.len() as u32)
    }
}

impl meeting::Stay for Here<'_> {
    fn execute_one(&mut self) -> bool {
        let found = self.team.queues.as_ref().and_then(|queues| self.find(queues));
        if let Some(task) = found {
            self.execute(task);
        }
        found.is_some()
    }

    fn rest(&mut self, _nap: impl FnOnce(u64)) {
        yield_now();
    }
}
