//! What a thread waits for, and which thread or task holds it.

mod barrier;
mod in_flight;
mod mutex;
mod thread;
mod walk;

use crate::{Parallel, Task, Thread};

pub use in_flight::{Progress, TaskInFlight, TasksInFlight};

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The thread executes code of the program or of the runtime, and does not wait.
    Nothing,
    /// A worker waits for its next region.
    Idle,
    /// The thread waits for a mutex.
    Mutex {
        /// The kind of the mutex.
        kind: Mutex,
        /// `ompt_wait_id_t`, which is the address of the mutex.
        wait_id: u64,
        /// The owner of the mutex.
        owner: Owner,
    },
    /// The thread waits for its turn in the ordered regions of a loop.
    Ordered {
        /// `ompt_wait_id_t`.
        wait_id: u64,
        /// The region of the loop.
        region: Parallel,
        /// The iteration, counted from 0, whose turn it is.
        turn: u64,
        /// The first iteration of the thread's chunk: the thread waits until that has the turn.
        awaited: u64,
        /// The member of the team whose chunk has the turn; `None` if no thread has the iteration.
        holder: Option<Member>,
    },
    /// The thread waits until another iteration of its doacross loop nest is posted.
    Doacross {
        /// `ompt_wait_id_t`.
        wait_id: u64,
        /// The region of the loop.
        region: Parallel,
        /// The awaited iteration, one element for each loop of the nest, as far as it is known.
        vector: Vec<i64>,
    },
    /// The thread has arrived at a barrier.
    Barrier {
        /// The kind of the barrier.
        kind: Barrier,
        /// The region of the barrier.
        region: Parallel,
        /// The members of the team that have not arrived.
        missing: Vec<Member>,
        /// The unfinished explicit tasks of the region, for whose completion the barrier waits too.
        tasks: Vec<TaskInFlight>,
        /// The region is cancelled: threads leave the barrier before it is complete.
        is_cancelled: bool,
    },
    /// A task waits for its children.
    Taskwait {
        task: Task,
        /// Its unfinished children.
        children: Vec<TaskInFlight>,
    },
    /// A task waits for the end of its taskgroup.
    Taskgroup {
        task: Task,
        /// The unfinished tasks of the taskgroup.
        tasks: Vec<TaskInFlight>,
    },
    /// A task waits for the predecessors of an undeferred task, or of a taskwait with dependences.
    Dependences {
        /// The task that waits.
        task: Task,
        /// The unfinished tasks that it waits for.
        predecessors: Vec<TaskInFlight>,
    },
    /// A task has generated many dependent tasks, and executes others before it generates more.
    Throttled {
        task: Task,
        /// Its unfinished children.
        children: Vec<TaskInFlight>,
    },
    /// The thread waits for others in the tree that combines the partial results of a reduction.
    Reduction {
        /// The region of the reduction.
        region: Parallel,
        /// The members whose partial results are missing.
        missing: Vec<Member>,
    },
    /// The thread waits in a way about which the runtime says no more than its state.
    Other,
}

/// The kind of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutex {
    /// A lock of `omp_set_lock`.
    Lock,
    /// A nestable lock of `omp_set_nest_lock`.
    NestLock,
    /// A critical region.
    Critical,
    /// An atomic region for which the processor has no instruction.
    Atomic,
    /// The mutex of the threads of a reduction, which take turns.
    Reduction,
}

/// The owner of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// No thread has it at this moment.
    Free,
    /// The thread in whose stack lies the frame with these bits of its address.
    Frame(FrameBits),
    /// The task that owns a nestable lock.
    Task(Task),
    /// A thread that owns the mutex.
    Thread(Thread),
    /// The owner, a task or a thread that has this number in the word, is gone: it has ended
    /// without a release.
    Gone(u32),
    /// The mutex is destroyed or was never initialized, or the word has another impossible value.
    Unsound(u32),
    /// The word cannot be read.
    Unknown,
}

/// Bits 1 to 31 of the address of a frame, which is the frame of the call that took the mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameBits(u32);

impl FrameBits {
    /// The bits that the word of a mutex has, without its mark for sleepers.
    pub fn of_owner(owner: u32) -> Self {
        FrameBits((owner & !1) << 1)
    }

    /// The lowest 32 bits of the address.
    pub fn low(self) -> u32 {
        self.0
    }

    /// The address of the frame if it lies in `stack`; `None` if no address there has these bits.
    pub fn address_in(self, stack: core::ops::Range<u64>) -> Option<u64> {
        const SPAN: u64 = 1 << 32;
        let below = (stack.start & !(SPAN - 1)) | u64::from(self.0);
        let address = if below < stack.start { below.checked_add(SPAN)? } else { below };
        stack.contains(&address).then_some(address)
    }
}

/// The kind of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The construct, or the end of a worksharing region: gcc's calls do not tell which.
    Any,
    /// The construct.
    Explicit,
    /// A barrier that the runtime or the compiler adds, such as that of copyprivate.
    Implementation,
    /// The end of a worksharing region.
    Workshare,
    /// The end of a parallel region.
    Parallel,
    /// The end of a teams region.
    Teams,
}

/// A member of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The number of its implicit task in the team.
    pub number: u64,
    /// Its implicit task, as far as it exists.
    pub task: Option<Task>,
    /// The thread that executes the implicit task.
    pub thread: Option<Thread>,
    /// The member, which has not arrived at a barrier, has left the region: at an earlier barrier
    /// of the team it was at the end of the region, and another thread elsewhere. Or it is a worker
    /// on its way into the region, as long as thread 0 is not at a barrier itself.
    pub has_left: bool,
}

#[cfg(test)]
mod tests {
    use super::FrameBits;

    #[test]
    fn a_frame_is_found_in_its_stack_and_in_no_other() {
        let frame: u64 = 0x7f12_9ffe_dc30;
        let bits = FrameBits::of_owner((frame as u32 >> 1) | 1);
        assert_eq!(bits.low(), frame as u32);
        assert_eq!(bits.address_in(0x7f12_9f80_0000..0x7f12_a000_0000), Some(frame));
        assert_eq!(bits.address_in(0x7f12_9000_0000..0x7f12_9ffe_dc30), None);
        // A stack across the boundary of 4 GiB.
        let high = FrameBits::of_owner((0x0000_1230 >> 1) | 1);
        assert_eq!(high.address_in(0x7f11_ff80_0000..0x7f12_0080_0000), Some(0x7f12_0000_1230));
        assert_eq!(high.address_in(u64::MAX - 10..u64::MAX), None);
    }
}
