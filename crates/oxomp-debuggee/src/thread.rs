//! Threads that the runtime knows.

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;

use crate::Answer;
use crate::address_space::AddressSpace;
use crate::parallel::Parallel;
use crate::task::Task;

/// A native thread: a block of the runtime, and the generation that tells it from other threads
/// that had or will have the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    at: u64,
    generation: u64,
}

/// The blocks of all threads, some of which may have no native thread.
pub fn blocks(space: &AddressSpace) -> Answer<Vec<u64>> {
    space.objects(space.process(), Field::ProcessThreads)
}

impl Thread {
    /// The thread whose block is at `at`; `unavailable` if the block has none.
    pub fn at(space: &AddressSpace, at: u64) -> Answer<Self> {
        if !space.flag(at, Field::ThreadLwp)? {
            return Err(ompd_rc_t::UNAVAILABLE);
        }
        Ok(Thread { at, generation: space.number(at, Field::ThreadGeneration)? })
    }

    /// The thread with this native id in `field`, which is `ThreadPthread` or `ThreadLwp`;
    /// `unavailable` if the runtime knows none.
    pub fn with_id(space: &AddressSpace, field: Field, id: u64) -> Answer<Self> {
        for at in blocks(space)? {
            if space.flag(at, Field::ThreadLwp)? && space.number(at, field)? == id {
                return Thread::at(space, at);
            }
        }
        Err(ompd_rc_t::UNAVAILABLE)
    }

    /// Fails with `stale_handle` if the native thread has ended.
    pub fn check(self, space: &AddressSpace) -> Answer<()> {
        match Thread::at(space, self.at) {
            Ok(present) if present == self => Ok(()),
            Ok(_) | Err(ompd_rc_t::UNAVAILABLE) => Err(ompd_rc_t::STALE_HANDLE),
            Err(code) => Err(code),
        }
    }

    /// The address of its block.
    pub(crate) fn address(self) -> u64 {
        self.at
    }

    /// The object that a field of the thread leads to.
    pub(crate) fn object(self, space: &AddressSpace, field: Field) -> Answer<u64> {
        space.object(self.at, field)
    }

    /// A number of the thread.
    pub fn number(self, space: &AddressSpace, field: Field) -> Answer<u64> {
        space.number(self.at, field)
    }

    /// The task that the thread executes; `unavailable` if there is none, as for an idle worker.
    pub fn current_task(self, space: &AddressSpace) -> Answer<Task> {
        let task = Task::at(space, space.object(self.at, Field::ThreadTask)?)?;
        // Without generations, a worker between two regions looks as if it were in the last one.
        let region = task.region(space)?;
        let implicit = space.object(self.at, Field::ThreadImplicitTask)?;
        match region.is_running(space)? && region.has(space, implicit)? {
            true => Ok(task),
            false => Err(ompd_rc_t::UNAVAILABLE),
        }
    }

    /// The region that the thread begins or ends, or else that of its current task.
    pub fn current_parallel(self, space: &AddressSpace) -> Answer<Parallel> {
        match space.follow(self.at, Field::ThreadRegion)? {
            Some(region) => Parallel::at(space, region),
            None => self.current_task(space)?.region(space),
        }
    }

    /// *thread-num-var*: the number of the implicit task under which the thread executes its tasks.
    pub fn thread_num(self, space: &AddressSpace) -> Answer<u64> {
        self.current_task(space)?;
        let task = space.object(self.at, Field::ThreadImplicitTask)?;
        space.number(task, Field::ImplicitTaskThreadNum)
    }

    /// Whether the thread executes `task`, or has left it for another one that it executes.
    pub fn executes(self, space: &AddressSpace, task: Task) -> Answer<bool> {
        let innermost = match self.current_task(space) {
            Ok(task) => task,
            Err(ompd_rc_t::UNAVAILABLE) => return Ok(false),
            Err(code) => return Err(code),
        };
        innermost.is_above(space, task)
    }
}
