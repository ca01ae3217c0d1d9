//! The wait of a thread, by its state and by what it executes.

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;
use oxomp_sys::ompt::ompt_state_t;

use super::in_flight::{TaskInFlight, TasksInFlight};
use super::{Barrier, Mutex, Wait, barrier, mutex};
use crate::address_space::AddressSpace;
use crate::{Answer, Parallel, Task, Thread, implicit_task};

/// The threads that one thread of the tree of a reduction combines.
const FAN_IN: u64 = 4;
/// Teams up to this size have no tree.
const TAKE_TURNS: u64 = 4;

impl Parallel {
    /// The explicit tasks of the region that are not complete.
    pub fn tasks_in_flight(self, space: &AddressSpace) -> Answer<Vec<TaskInFlight>> {
        Ok(TasksInFlight::read(space)?.of_region(space, self))
    }
}

impl Thread {
    /// What the thread waits for.
    pub fn wait(self, space: &AddressSpace) -> Answer<Wait> {
        self.wait_among(space, &TasksInFlight::read(space)?)
    }

    /// What the thread waits for, where `tasks` are those of the process.
    pub fn wait_among(self, space: &AddressSpace, tasks: &TasksInFlight) -> Answer<Wait> {
        let (state, wait_id) = match self.state(space) {
            Ok((ompt_state_t::IDLE, _)) => return Ok(Wait::Idle),
            Ok(_) => (self.raw_state(space)?, self.number(space, Field::ThreadWaitId)?),
            Err(code) => return Err(code),
        };
        if barrier::is_barrier(state) {
            return self.at_barrier(space, state, tasks);
        }
        match state {
            ompt_state_t::WAIT_LOCK => {
                let is_nested = self.number(space, Field::ThreadWaitsForNestLock)? != 0;
                let kind = if is_nested { Mutex::NestLock } else { Mutex::Lock };
                Ok(self.for_mutex(space, kind, wait_id, tasks))
            }
            ompt_state_t::WAIT_CRITICAL => {
                Ok(self.for_mutex(space, Mutex::Critical, wait_id, tasks))
            }
            ompt_state_t::WAIT_ATOMIC => Ok(self.for_mutex(space, Mutex::Atomic, wait_id, tasks)),
            ompt_state_t::WAIT_ORDERED => self.for_iteration(space, wait_id),
            state if state.0 <= ompt_state_t::WORK_REDUCTION.0 && mutex::is_own(space, wait_id) => {
                Ok(self.for_mutex(space, Mutex::Reduction, wait_id, tasks))
            }
            ompt_state_t::WORK_REDUCTION => self.in_reduction(space),
            ompt_state_t::WAIT_TASKWAIT
            | ompt_state_t::WAIT_TASKGROUP
            | ompt_state_t::WAIT_TARGET
            | ompt_state_t::OVERHEAD => self.for_tasks(space, state, tasks),
            state if state.0 >= ompt_state_t::WAIT_BARRIER.0 && state.0 < ompt_state_t::IDLE.0 => {
                Ok(Wait::Other)
            }
            _ => Ok(Wait::Nothing),
        }
    }

    fn for_mutex(
        self,
        space: &AddressSpace,
        kind: Mutex,
        wait_id: u64,
        tasks: &TasksInFlight,
    ) -> Wait {
        let owner = mutex::owner(space, self.address(), kind, wait_id, tasks);
        Wait::Mutex { kind, wait_id, owner }
    }

    /// The wait for a turn in ordered regions, or for an iteration of a doacross loop nest.
    fn for_iteration(self, space: &AddressSpace, wait_id: u64) -> Answer<Wait> {
        let task = self.object(space, Field::ThreadImplicitTask)?;
        let region = Parallel::at(space, implicit_task::region(space, task)?)?;
        let my_loop = space.object(task, Field::ImplicitTaskLoop)?;
        let awaited = space.numbers(my_loop, Field::LoopAwaited)?;
        if !awaited.is_empty() {
            let vector = awaited.into_iter().map(u64::cast_signed).collect();
            return Ok(Wait::Doacross { wait_id, region, vector });
        }
        let turn = space.u64_at(wait_id)?;
        let has_turn = |member: u64| -> Answer<bool> {
            let its_loop = space.object(member, Field::ImplicitTaskLoop)?;
            Ok(space.flag(its_loop, Field::LoopOrderedIterations)?
                && space.number(its_loop, Field::LoopOrderedStart)? == turn)
        };
        let members = barrier::members(space, region)?;
        let holder = members.iter().find(|(at, _)| has_turn(*at).unwrap_or(false));
        Ok(Wait::Ordered {
            wait_id,
            region,
            turn,
            awaited: space.number(my_loop, Field::LoopOrderedStart)?,
            holder: holder.map(|(_, member)| *member),
        })
    }

    fn at_barrier(
        self,
        space: &AddressSpace,
        state: ompt_state_t,
        tasks: &TasksInFlight,
    ) -> Answer<Wait> {
        let implicit = self.object(space, Field::ThreadImplicitTask)?;
        if self.object(space, Field::ThreadTask)? != implicit {
            // It executes an explicit task in the barrier.
            return Ok(Wait::Nothing);
        }
        let mut at = implicit_task::region(space, implicit)?;
        if state == ompt_state_t::WAIT_BARRIER_TEAMS && space.flag(at, Field::ParallelIsOfLeague)? {
            at = implicit_task::region(space, space.object(at, Field::ParallelEncountering)?)?;
        }
        let region = Parallel::at(space, at)?;
        let missing = barrier::missing(space, region)?;
        if missing.iter().any(|member| member.has_left && member.thread == Some(self)) {
            return Ok(Wait::Idle);
        }
        Ok(Wait::Barrier {
            kind: match state {
                ompt_state_t::WAIT_BARRIER_EXPLICIT => Barrier::Explicit,
                ompt_state_t::WAIT_BARRIER_IMPLEMENTATION => Barrier::Implementation,
                ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE => Barrier::Workshare,
                ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL => Barrier::Parallel,
                ompt_state_t::WAIT_BARRIER_TEAMS => Barrier::Teams,
                _ => Barrier::Any,
            },
            region,
            missing,
            tasks: tasks.of_region(space, region),
            is_cancelled: region.number(space, Field::ParallelCancelled)? & PARALLEL != 0,
        })
    }

    /// The wait of the thread's current task for other tasks, if that is what it does: a thread
    /// that executes a task keeps its state, unless a debugger or tool was expected.
    fn for_tasks(
        self,
        space: &AddressSpace,
        state: ompt_state_t,
        tasks: &TasksInFlight,
    ) -> Answer<Wait> {
        let task = match self.current_task(space) {
            Ok(task) => task,
            Err(ompd_rc_t::UNAVAILABLE) => return Ok(Wait::Nothing),
            Err(code) => return Err(code),
        };
        if !task.is_implicit(space)? && self.is_executing(space, task)? {
            return Ok(Wait::Nothing);
        }
        let at = task.address();
        if let Some(predecessors) = tasks.awaited_by(space, at) {
            return Ok(Wait::Dependences { task, predecessors });
        }
        Ok(match state {
            ompt_state_t::WAIT_TASKWAIT => {
                Wait::Taskwait { task, children: tasks.children(space, at) }
            }
            ompt_state_t::WAIT_TASKGROUP => {
                let group = space.object(at, Field::ExplicitTaskTaskgroup)?;
                Wait::Taskgroup { task, tasks: tasks.in_taskgroup(space, group) }
            }
            ompt_state_t::WAIT_TARGET => Wait::Other,
            _ if self.is_throttled(space, task, tasks)? => {
                Wait::Throttled { task, children: tasks.children(space, at) }
            }
            _ => Wait::Nothing,
        })
    }

    /// Whether the thread executes the code of the explicit task, its current one: at a task
    /// scheduling point it has no mark while it has found no task.
    pub(crate) fn is_executing(self, space: &AddressSpace, task: Task) -> Answer<bool> {
        let implicit = self.object(space, Field::ThreadImplicitTask)?;
        match space.follow(implicit, Field::ImplicitTaskMemberTasks)? {
            Some(tasks) if task.region(space)?.number(space, Field::ParallelSize)? > 1 => {
                space.flag(tasks, Field::MemberTasksExecutor)
            }
            _ => Ok(task.unfinished_children(space)? == 0),
        }
    }

    /// Whether the thread, in the state of overhead, waits until there are fewer dependent tasks.
    fn is_throttled(self, space: &AddressSpace, task: Task, tasks: &TasksInFlight) -> Answer<bool> {
        let children = task.unfinished_children(space)?;
        Ok(children >= FEWEST_THROTTLED && tasks.has_dependent_children(task.address()))
    }

    /// The wait in the tree of a reduction. A member below that has gone on from a reduction
    /// without a barrier cannot be told from one that has not arrived.
    fn in_reduction(self, space: &AddressSpace) -> Answer<Wait> {
        let task = self.object(space, Field::ThreadImplicitTask)?;
        let region = Parallel::at(space, implicit_task::region(space, task)?)?;
        let size = region.number(space, Field::ParallelSize)?;
        if size <= TAKE_TURNS || space.flag(task, Field::ImplicitTaskHasReduction)? {
            return Ok(Wait::Nothing);
        }
        let me = space.number(task, Field::ImplicitTaskThreadNum)?;
        let offers = space.flag(task, Field::ImplicitTaskOffer)?;
        let members = barrier::members(space, region)?;
        let is_awaited = |number: u64, at: u64| -> Answer<bool> {
            if offers {
                return Ok(me != 0 && number == (me - 1) / FAN_IN);
            }
            let first = me * FAN_IN + 1;
            Ok((first..first + FAN_IN).contains(&number)
                && !space.flag(at, Field::ImplicitTaskOffer)?)
        };
        let is_missing = |member: &(u64, super::Member)| -> Answer<bool> {
            let (at, member) = member;
            let state = member.thread.map(|thread| thread.raw_state(space)).transpose()?;
            let has_gone_on = !offers && state.is_some_and(barrier::is_barrier);
            Ok(!has_gone_on && is_awaited(member.number, *at)?)
        };
        let missing = members.iter().filter(|member| is_missing(member).unwrap_or(false));
        let missing: Vec<_> = missing.map(|(_, member)| *member).collect();
        Ok(if missing.is_empty() { Wait::Nothing } else { Wait::Reduction { region, missing } })
    }
}

/// `ompt_cancel_parallel`.
const PARALLEL: u64 = 1;
/// A thread that has made too many dependent tasks goes on when this number is left.
const FEWEST_THROTTLED: u32 = 512;
