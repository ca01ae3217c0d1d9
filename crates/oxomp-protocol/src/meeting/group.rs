//! What the meetings ask a group and its threads.

use crate::barrier::{Barrier, Cancellation, Departure, Ended};
use crate::patience::Patience;
use crate::shim::AtomicU32;
use crate::task::{Gate, Tally};

/// A group of threads that meet at a barrier, and have tasks in common.
///
/// As soon as a thread has arrived at the end of the group's work, another thread may prepare the
/// group for its next work. The functions that end the work read what they need before.
pub trait Group {
    /// The number of threads. A group of one thread has no tallies: all of its tasks are
    /// outstanding. The number becomes 1 while a thread executes a task that calls fork(2), in the
    /// child.
    fn size(&self) -> u32;

    /// The barrier at which the threads meet.
    fn barrier(&self) -> &Barrier;

    /// How long a thread waits before it sleeps.
    fn patience(&self) -> Patience;

    /// The gate of the tasks.
    fn gate(&self) -> &Gate;

    /// The number of unfinished tasks that the tallies do not count.
    fn outstanding(&self) -> &AtomicU32;

    /// The tally of thread `number`.
    fn tally(&self, number: u32) -> &Tally;

    /// Whether the work of groups may be cancelled: the same for all work.
    fn is_cancellable(&self) -> bool;

    /// Whether the group's work is cancelled, or a part of it that ends at a barrier.
    fn has_cancelled(&self) -> bool;

    /// The cancellation of the group's work.
    fn cancellation(&self) -> &Cancellation;

    /// All threads have arrived at a barrier, which ends the cancelled part of the work, if any.
    fn end_cancelled_part(&self);

    /// The number of the group's work.
    fn work(&self) -> u32;

    /// The work that thread `number` has ended last.
    fn ended(&self, number: u32) -> &Ended;
}

/// A thread of a group.
pub trait Member: Copy {
    /// What the threads of the group share.
    type Group: Group;
    /// A stay of the thread at a place where it executes tasks.
    type Stay: Stay;

    /// The group.
    fn group(&self) -> &Self::Group;

    /// The number of the thread, from 0.
    fn number(self) -> usize;

    /// The tally of the thread.
    fn tally(&self) -> &Tally;

    /// The thread's arrival at a barrier that it has left.
    fn departure(&self) -> &Departure;

    /// The work that the thread has ended last.
    fn ended(&self) -> &Ended;

    /// Begins a stay, which ends when it is dropped.
    fn stay(self) -> Self::Stay;

    /// Whether the thread waits no longer for tasks that have begun: all are over
    /// (`task::are_over`). Called by a thread that has seen that the work is cancelled.
    fn begun_are_over(self) -> bool;
}

/// A thread's stay at a place where it executes tasks.
pub trait Stay {
    /// Looks for a task of the group, and executes it. Returns whether there was one.
    fn execute_one(&mut self) -> bool;

    /// The thread has found no task: it waits until its next look. If the wait is long, `nap` puts
    /// the thread to sleep for a number of nanoseconds.
    fn rest(&mut self, nap: impl FnOnce(u64));
}
