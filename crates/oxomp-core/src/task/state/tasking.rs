//! The state of a team for explicit tasks.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use oxomp_base::word::Word;
use oxomp_protocol::Alone;
use oxomp_protocol::lock::Guarded;
use oxomp_protocol::task::{Gate, are_over};

use super::Task;
use super::copies::Copies;
use super::member_tasks::MemberTasks;
use super::on_device::OnDevice;
use super::queue::Queue;
use crate::block::Team;

/// Copies of a reduction that a team's threads find by the number of the construct.
#[derive(Debug)]
struct SharedCopies {
    number: u32,
    copies: &'static Copies,
    /// The number of threads that have not fetched the copies.
    missing: u32,
}

/// The state of a team for explicit tasks.
#[derive(Debug)]
pub(crate) struct Tasking {
    pub(in crate::task) gate: Gate,
    pub(in crate::task) queue: Queue<Task>,
    pub(in crate::task) on_device: OnDevice<Task>,
    /// Unfinished tasks that the tallies do not count: those that an event completes, since any
    /// thread may fulfil the event; and all tasks of a team of one thread, which has no tallies.
    pub(in crate::task) outstanding: AtomicU32,
    shared: Guarded<Vec<SharedCopies>>,
    /// How often tasks of the team were lost with their threads, in the child of a fork(2).
    pub(in crate::task) times_lost: Word<u32>,
}

impl Tasking {
    pub(crate) fn new() -> Self {
        Tasking {
            gate: Gate::new(),
            queue: Queue::new(),
            on_device: OnDevice::new(),
            outstanding: AtomicU32::new(0),
            shared: Guarded::new(Vec::new()),
            times_lost: Word::<u32>::new(0),
        }
    }

    /// The copies of the team's reduction `number`, which `make` creates on the first of `size`
    /// threads.
    pub(in crate::task) fn shared_copies(
        &self,
        number: u32,
        size: u32,
        make: impl FnOnce() -> &'static Copies,
    ) -> &'static Copies {
        self.shared.with(|shared| {
            if let Some(at) = shared.iter().position(|one| one.number == number) {
                let copies = shared[at].copies;
                shared[at].missing -= 1;
                if shared[at].missing == 0 {
                    shared.swap_remove(at);
                }
                return copies;
            }
            let copies = make();
            if size > 1 {
                shared.push(SharedCopies { number, copies, missing: size - 1 });
            }
            copies
        })
    }

    /// After a cancelled region: passes to `free` the copies that some threads have not asked for,
    /// because they left the region before.
    pub(in crate::task) fn drop_shared_copies(&self, mut free: impl FnMut(&'static Copies)) {
        self.shared.with(|shared| shared.drain(..).for_each(|one| free(one.copies)));
    }

    /// Whether all tasks that the tallies do not count are complete: in a team of one thread, these
    /// are all tasks.
    #[inline(always)]
    pub(crate) fn is_idle(&self) -> bool {
        // Acquire: pairs with the Release in `settle`.
        self.outstanding.load(Acquire) == 0
    }

    /// In the child of a fork(2): drops the tasks of the team, which are lost with the threads that
    /// had them.
    pub(in crate::task) fn forget(&self, alone: &Alone) {
        self.times_lost.set(self.times_lost.get().wrapping_add(1));
        self.gate.forget(alone);
        self.queue.forget(alone);
        self.on_device.forget(alone);
        self.shared.forget(Vec::new(), alone);
        self.outstanding.store(0, Relaxed);
    }
}

impl Team {
    /// The state of member `thread_num` for tasks. Only for a team of more than one thread.
    #[inline(always)]
    pub(in crate::task) fn member_tasks(&self, thread_num: u32) -> &'static MemberTasks {
        self.member(thread_num).member_tasks()
    }

    /// Runs `queue`, which makes a task visible to other threads of the team, after it has opened
    /// the gate and called the threads that wait at a barrier. Only for a team of more than one
    /// thread.
    #[inline(always)]
    pub(in crate::task) fn admit(&self, queue: impl FnOnce()) {
        self.tasking.gate.admit(|| self.call_waiting(), queue);
    }

    /// Whether the bodies of all tasks that have begun are over. Called by a thread that has seen
    /// that the region is cancelled.
    pub(in crate::task) fn begun_are_over(&self) -> bool {
        let size = self.size();
        if size == 1 {
            // Such a team executes a task at once, to its end but for work on a device.
            return self.tasking.on_device.looks_empty();
        }
        are_over(|thread_num| self.member_tasks(thread_num).begun(), size)
    }

    /// Counts the completion of a task that the tallies do not count. It may have been the last, so
    /// the caller does not access the team afterwards.
    pub(in crate::task) fn settle(&self) {
        // Release: pairs with the Acquires of the last thread to arrive (`meeting::execute_all`).
        self.tasking.outstanding.fetch_sub(1, Release);
    }
}
