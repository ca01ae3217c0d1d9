//! Tasks of every kind.

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;

use crate::address_space::AddressSpace;
use crate::parallel::Parallel;
use crate::thread::{self, Thread};
use crate::{Answer, LONGEST_WALK};

/// A task: a block of the runtime, and the generation that tells it from other tasks that had or
/// will have the block.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    at: u64,
    generation: u64,
    /// The region of an implicit task whose thread has not begun it yet, or has left it: the task
    /// is one of the region until the region is over.
    waits_in: Option<Parallel>,
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Task {}

/// A frame of a task; its address is 0 if the task has no such frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// An address that identifies the frame, in the way that the flags tell.
    pub address: u64,
    /// `ompt_frame_flag_t`.
    pub flags: i64,
}

impl Task {
    /// The task whose block is at `at`; `unavailable` if it is over.
    pub fn at(space: &AddressSpace, at: u64) -> Answer<Self> {
        let generation = Task::generation(space, at)?;
        match space.lives(generation)? {
            true => Ok(Task { at, generation, waits_in: None }),
            false => Err(ompd_rc_t::UNAVAILABLE),
        }
    }

    /// The implicit task of `region` whose block is at `at`, which its thread may begin later.
    pub fn of_region(space: &AddressSpace, at: u64, region: Parallel) -> Answer<Self> {
        match Task::at(space, at) {
            Err(ompd_rc_t::UNAVAILABLE) => {
                let generation = Task::generation(space, at)?.wrapping_add(1);
                Ok(Task { at, generation, waits_in: Some(region) })
            }
            answer => answer,
        }
    }

    fn generation(space: &AddressSpace, at: u64) -> Answer<u64> {
        space.number(space.object(at, Field::ExplicitTaskRecord)?, Field::TaskGeneration)
    }

    /// The address of its block.
    pub(crate) fn address(self) -> u64 {
        self.at
    }

    /// The children of the task that are not complete.
    pub fn unfinished_children(self, space: &AddressSpace) -> Answer<u32> {
        let number = |field| Ok(space.number(self.at, field)? as u32);
        Ok(number(Field::ExplicitTaskChildrenMade)?
            .wrapping_sub(number(Field::ExplicitTaskChildrenHome)?)
            .wrapping_sub(number(Field::ExplicitTaskChildrenAway)?))
    }

    /// What tells tasks apart, and orders them.
    pub fn key(self) -> (u64, u64) {
        (self.at, self.generation)
    }

    /// Fails with `stale_handle` if the task is over.
    pub fn check(self, space: &AddressSpace) -> Answer<()> {
        let present = Task::generation(space, self.at)?;
        let is_same = match self.waits_in {
            None => present == self.generation && space.lives(present)?,
            Some(region) => {
                region.check(space)?;
                present == self.generation || present.wrapping_add(1) == self.generation
            }
        };
        if is_same { Ok(()) } else { Err(ompd_rc_t::STALE_HANDLE) }
    }

    /// The part that tasks of every kind have.
    fn record(self, space: &AddressSpace) -> Answer<u64> {
        space.object(self.at, Field::ExplicitTaskRecord)
    }

    /// Whether the task is an implicit or an initial one.
    pub fn is_implicit(self, space: &AddressSpace) -> Answer<bool> {
        space.flag(self.at, Field::ExplicitTaskIsImplicit)
    }

    /// Whether the task is final.
    pub fn is_final(self, space: &AddressSpace) -> Answer<bool> {
        space.flag(self.at, Field::ExplicitTaskIsFinal)
    }

    /// Whether the task is a target task.
    pub fn is_target(self, space: &AddressSpace) -> Answer<bool> {
        let elsewhere = space.flag(self.at, Field::ExplicitTaskIsTarget)?;
        Ok(elsewhere || space.flag(self.at, Field::ExplicitTaskIsTargetOnHost)?)
    }

    /// The tool's word of the task.
    pub fn data(self, space: &AddressSpace) -> Answer<u64> {
        space.number(self.record(space)?, Field::TaskData)
    }

    /// The region to which the task belongs.
    pub fn region(self, space: &AddressSpace) -> Answer<Parallel> {
        let field = match self.is_implicit(space)? {
            true => Field::ImplicitTaskParallel,
            false => Field::ExplicitTaskParallel,
        };
        Parallel::at(space, space.object(self.at, field)?)
    }

    /// The object of its variables.
    pub fn icvs(self, space: &AddressSpace) -> Answer<u64> {
        match self.is_implicit(space)? {
            true => space.object(self.at, Field::ImplicitTaskIcvs),
            false => space.object(self.at, Field::ExplicitTaskIcvs),
        }
    }

    /// A number of an implicit task; `incompatible` for a task of another kind.
    pub fn implicit_number(self, space: &AddressSpace, field: Field) -> Answer<u64> {
        self.require_implicit(space)?;
        space.number(self.at, field)
    }

    /// An object inside of an implicit task; `incompatible` for a task of another kind.
    pub fn implicit_object(self, space: &AddressSpace, field: Field) -> Answer<u64> {
        self.require_implicit(space)?;
        space.object(self.at, field)
    }

    /// Fails with `incompatible` for a task that is not implicit.
    pub fn require_implicit(self, space: &AddressSpace) -> Answer<()> {
        match self.is_implicit(space)? {
            true => Ok(()),
            false => Err(ompd_rc_t::INCOMPATIBLE),
        }
    }

    /// The task that generated the task; of an implicit task the one that encountered its
    /// construct. `unavailable` for the initial task of the program.
    pub fn generating(self, space: &AddressSpace) -> Answer<Self> {
        let generating = match self.is_implicit(space)? {
            true => self.region(space)?.encountering_task(space)?,
            false => space.follow(self.at, Field::ExplicitTaskGenerating)?,
        };
        Task::at(space, generating.ok_or(ompd_rc_t::UNAVAILABLE)?)
    }

    /// The task that the thread left in order to execute this one; `unavailable` for an implicit
    /// task, and for one that no thread executes.
    pub fn scheduling(self, space: &AddressSpace) -> Answer<Self> {
        if self.is_implicit(space)? {
            return Err(ompd_rc_t::UNAVAILABLE);
        }
        Task::at(space, space.object(self.at, Field::ExplicitTaskScheduling)?)
    }

    /// Whether `other` is this task, or one that the thread left for it, directly or by way of
    /// further tasks.
    pub fn is_above(self, space: &AddressSpace, other: Task) -> Answer<bool> {
        let mut at = self;
        for _ in 0..LONGEST_WALK {
            if at == other {
                return Ok(true);
            }
            at = match at.scheduling(space) {
                Ok(below) => below,
                Err(ompd_rc_t::UNAVAILABLE) => return Ok(false),
                Err(code) => return Err(code),
            };
        }
        Err(ompd_rc_t::ERROR)
    }

    /// *thread-num-var*: of an implicit task its number, of another one the number of the thread
    /// that executes it. `unavailable` if no thread does.
    pub fn thread_num(self, space: &AddressSpace) -> Answer<u64> {
        if self.is_implicit(space)? {
            return space.number(self.at, Field::ImplicitTaskThreadNum);
        }
        for at in thread::blocks(space)? {
            let thread = match Thread::at(space, at) {
                Ok(thread) => thread,
                Err(ompd_rc_t::UNAVAILABLE) => continue,
                Err(code) => return Err(code),
            };
            if thread.executes(space, self)? {
                return thread.thread_num(space);
            }
        }
        Err(ompd_rc_t::UNAVAILABLE)
    }

    /// The entry of the task's code. The runtime notes the entry of a region's code only if a
    /// debugger is expected; `unavailable` for an initial task, whose code has no entry of its own.
    pub fn function(self, space: &AddressSpace) -> Answer<u64> {
        let function = match self.is_implicit(space)? {
            true => self.region(space)?.number(space, Field::ParallelFunction)?,
            false => space.number(self.at, Field::ExplicitTaskFunction)?,
        };
        if function == 0 {
            space.require_tracking()?;
            return Err(ompd_rc_t::UNAVAILABLE);
        }
        Ok(function)
    }

    /// The frame of the runtime that called the task's code, and the frame from which the task
    /// called the runtime.
    pub fn frames(self, space: &AddressSpace) -> Answer<(Frame, Frame)> {
        let record = self.record(space)?;
        let frame = |address, flags| {
            Ok(Frame {
                address: space.number(record, address)?,
                flags: space.signed(record, flags)?,
            })
        };
        let exit = frame(Field::TaskExitFrame, Field::TaskExitFrameFlags)?;
        Ok((exit, frame(Field::TaskEnterFrame, Field::TaskEnterFrameFlags)?))
    }
}
