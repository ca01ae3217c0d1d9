//! Explicit tasks that are not complete: where each of them is.
//!
//! No list of the runtime has all of them: a task waits in the queue of some thread, or for its
//! predecessors, or for its event. But each of them has a block of memory, blocks are never freed,
//! and the runtime lists the pieces of memory that blocks were cut from, and the blocks that are
//! free. So a block that is not free has a task.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_ompd_layout::{Field, event_handle};

use super::walk::{Stacks, list};
use crate::address_space::AddressSpace;
use crate::{Answer, Parallel, Task, Thread, thread};

/// An explicit task that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskInFlight {
    pub task: Task,
    /// How far it is.
    pub progress: Progress,
}

/// How far an explicit task is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A task that is being generated, and that no other thread knows yet; or an undeferred one
    /// that waits for its predecessors, if there are any.
    Generated {
        /// The unfinished tasks that it waits for.
        predecessors: Vec<Task>,
    },
    /// A thread executes the task, or has left it for another one.
    Executed {
        thread: Thread,
        /// It is the thread's current task.
        is_current: bool,
    },
    /// The task waits in a queue for a thread.
    Ready,
    /// The task waits for unfinished tasks by its depend clause.
    Blocked {
        /// These tasks, as far as they are known.
        predecessors: Vec<Task>,
    },
    /// The code of the task is over, and no thread has fulfilled its event
    /// (`omp_fulfill_event`).
    AwaitsEvent {
        /// The event, `omp_event_handle_t`.
        event: u64,
    },
    /// The work of a target task on a device is not done.
    OnDevice,
}

/// The explicit tasks of the process that are not complete, as they are when they are read.
#[derive(Debug)]
pub struct TasksInFlight {
    pub(super) stacks: Stacks,
    blocks: BTreeMap<u64, Block>,
    /// The tasks that the task with these ties waits for.
    predecessors: BTreeMap<u64, BTreeSet<u64>>,
}

/// A block with a task that is not complete.
#[derive(Debug)]
struct Block {
    task: Task,
    generating: Option<u64>,
    region: u64,
    taskgroup: Option<u64>,
    ties: Option<u64>,
    is_counted: bool,
    /// The task depends on others, or others on it.
    is_dependent: bool,
    /// The task, or the thread that generates it, waits for other tasks.
    waits: bool,
}

/// The most blocks of a piece.
const MOST_OF_A_PIECE: u64 = 1 << 12;
/// The most blocks of a process.
const MOST_BLOCKS: usize = 1 << 20;
/// The most dependences of a task.
const MOST_TIES: u64 = 1 << 16;

/// The lists of free blocks.
const FREE: [Field; 7] = [
    Field::TaskBlocksFree1,
    Field::TaskBlocksFree2,
    Field::TaskBlocksFree3,
    Field::TaskBlocksFree4,
    Field::TaskBlocksFree5,
    Field::TaskBlocksOutgoing,
    Field::TaskBlocksReturned,
];

impl TasksInFlight {
    /// The tasks of the process, as far as the runtime tells them.
    pub fn read(space: &AddressSpace) -> Answer<Self> {
        let stacks = Stacks::read(space);
        let (mut free, mut all) = (BTreeSet::new(), Vec::new());
        for thread in thread::blocks(space)? {
            let blocks = space.object(thread, Field::ThreadTaskBlocks)?;
            for field in FREE {
                let first = space.follow(blocks, field).unwrap_or(None);
                free.extend(list(space, first, Field::ExplicitTaskScheduling));
            }
            let first = space.follow(blocks, Field::TaskBlocksPieces).unwrap_or(None);
            for piece in list(space, first, Field::TaskPieceNext) {
                all.extend(blocks_of(space, piece).unwrap_or_default());
                all.truncate(MOST_BLOCKS);
            }
        }
        let mut blocks = BTreeMap::new();
        for at in all.into_iter().filter(|at| !free.contains(at)) {
            let is_executed = stacks.tasks.contains_key(&at);
            if let Ok(Some(block)) = Block::read(space, at, is_executed) {
                blocks.insert(at, block);
            }
        }
        let mut tasks = TasksInFlight { stacks, blocks, predecessors: BTreeMap::new() };
        tasks.find_predecessors(space);
        Ok(tasks)
    }

    /// All these tasks.
    pub fn all(&self, space: &AddressSpace) -> Vec<TaskInFlight> {
        self.select(space, |_| true)
    }

    /// The tasks that are bound to a region.
    pub fn of_region(&self, space: &AddressSpace, region: Parallel) -> Vec<TaskInFlight> {
        self.select(space, |block| block.region == region.address())
    }

    /// The children of a task that it waits for in a taskwait.
    pub(super) fn children(&self, space: &AddressSpace, task: u64) -> Vec<TaskInFlight> {
        self.select(space, |block| block.is_counted && block.generating == Some(task))
    }

    /// The tasks of a taskgroup.
    pub(super) fn in_taskgroup(&self, space: &AddressSpace, group: u64) -> Vec<TaskInFlight> {
        self.select(space, |block| block.is_counted && block.taskgroup == Some(group))
    }

    /// The undeferred child of `task` for whose predecessors the task waits, if there is one: the
    /// predecessors.
    pub(super) fn awaited_by(&self, space: &AddressSpace, task: u64) -> Option<Vec<TaskInFlight>> {
        let waiting = self
            .blocks
            .iter()
            .find(|(_, block)| !block.is_counted && block.waits && block.generating == Some(task));
        let predecessors = self.predecessors_of(waiting?.1);
        Some(self.select(space, |block| {
            predecessors.iter().any(|task| task.address() == block.task.address())
        }))
    }

    /// Whether a child of the task has a depend clause.
    pub(super) fn has_dependent_children(&self, task: u64) -> bool {
        self.blocks.values().any(|block| block.is_dependent && block.generating == Some(task))
    }

    /// The task that owns nestable locks by this number.
    pub(super) fn with_number(&self, space: &AddressSpace, number: u64) -> Option<Task> {
        let all = self.stacks.tasks.keys().chain(self.blocks.keys());
        let at = all.copied().find(|at| {
            let own = space.follow(*at, Field::ExplicitTaskOwn).unwrap_or(None);
            own.is_some_and(|own| space.number(own, Field::TaskOwnNumber) == Ok(number))
        })?;
        Task::at(space, at).ok()
    }

    fn select(&self, space: &AddressSpace, wanted: impl Fn(&Block) -> bool) -> Vec<TaskInFlight> {
        let blocks = self.blocks.iter().filter(|(_, block)| wanted(block));
        blocks.filter_map(|(at, block)| self.task(space, *at, block)).collect()
    }

    fn task(&self, space: &AddressSpace, at: u64, block: &Block) -> Option<TaskInFlight> {
        let progress = match self.stacks.tasks.get(&at) {
            Some((thread, is_current)) => Progress::Executed {
                thread: Thread::at(space, *thread).ok()?,
                is_current: *is_current,
            },
            None => self.progress_off_thread(space, at, block)?,
        };
        Some(TaskInFlight { task: block.task, progress })
    }

    /// The progress of a task that no thread executes; `None` for one that is complete.
    fn progress_off_thread(
        &self,
        space: &AddressSpace,
        at: u64,
        block: &Block,
    ) -> Option<Progress> {
        let flag = |field| space.flag(at, field).unwrap_or(false);
        let own = space.follow(at, Field::ExplicitTaskOwn).unwrap_or(None);
        let work = own.map(|own| space.flag(own, Field::TaskOwnDeviceWork));
        if flag(Field::ExplicitTaskIsTarget) && work == Some(Ok(true)) {
            return Some(Progress::OnDevice);
        }
        if flag(Field::ExplicitTaskIsDetachable) {
            let event = space.object(at, Field::ExplicitTaskEvent).ok()?;
            let of_event = |field| space.flag(event, field).unwrap_or(false);
            if of_event(Field::EventBodyIsOver) {
                let is_fulfilled = of_event(Field::EventIsFulfilled);
                let serial = space.number(event, Field::EventSerial).unwrap_or(0);
                let event = event_handle::of(at, serial as u32);
                return (!is_fulfilled).then_some(Progress::AwaitsEvent { event });
            }
        }
        let predecessors = self.predecessors_of(block);
        Some(match (block.is_counted, block.waits || !predecessors.is_empty()) {
            (false, _) => Progress::Generated { predecessors },
            (true, true) => Progress::Blocked { predecessors },
            (true, false) => Progress::Ready,
        })
    }

    /// The unfinished tasks that the task waits for.
    fn predecessors_of(&self, block: &Block) -> Vec<Task> {
        let predecessors = block.ties.and_then(|ties| self.predecessors.get(&ties));
        let blocks = predecessors.into_iter().flatten().filter_map(|at| self.blocks.get(at));
        blocks.map(|block| block.task).collect()
    }

    /// Finds what each task waits for, by the lists of the generations to which the others belong.
    fn find_predecessors(&mut self, space: &AddressSpace) {
        let mut members: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for (at, block) in self.blocks.iter().filter(|(_, block)| block.is_dependent) {
            let generations = block.ties.map(|ties| generations(space, ties).unwrap_or_default());
            for generation in generations.unwrap_or_default() {
                members.entry(generation).or_default().insert(*at);
            }
        }
        for (generation, members) in members {
            for waiter in waiters(space, generation, Field::GenerationWaits) {
                self.predecessors.entry(waiter).or_default().extend(&members);
            }
            self.find_turns(space, generation, &members);
        }
    }

    /// The members of a generation that wait for their turn wait for the member that has it: one
    /// that waits neither for its turn nor for anything else.
    fn find_turns(&mut self, space: &AddressSpace, generation: u64, members: &BTreeSet<u64>) {
        if !space.flag(generation, Field::GenerationIsExclusive).unwrap_or(false) {
            return;
        }
        let waiters: BTreeSet<u64> =
            waiters(space, generation, Field::GenerationTurns).into_iter().collect();
        let block = |at: &u64| self.blocks.get(at);
        let is_waiting =
            |block: &Block| block.waits || block.ties.is_some_and(|ties| waiters.contains(&ties));
        let holders: BTreeSet<u64> = members
            .iter()
            .copied()
            .filter(|at| block(at).is_some_and(|block| !is_waiting(block)))
            .collect();
        for waiter in waiters {
            self.predecessors.entry(waiter).or_default().extend(&holders);
        }
    }
}

impl Block {
    /// The block at `at`, which is in no list of free blocks; `None` if it has no task, or one that
    /// is complete.
    fn read(space: &AddressSpace, at: u64, is_executed: bool) -> Answer<Option<Self>> {
        let Some(region) = space.follow(at, Field::ExplicitTaskParallel)? else { return Ok(None) };
        // A complete task is kept for its children: the high half counts those that are not gone.
        let away = space.number(at, Field::ExplicitTaskChildrenAway)?;
        if !is_executed && away >> 63 != 0 {
            return Ok(None);
        }
        let task = Task::at(space, at)?;
        let is_undeferred = space.flag(at, Field::ExplicitTaskIsUndeferred)?;
        let depends = space.flag(at, Field::ExplicitTaskIsDependent)?;
        let ties = space.follow(at, Field::ExplicitTaskTies)?;
        let waits = match ties.filter(|_| depends || is_undeferred) {
            Some(ties) => space.flag(ties, Field::TiesWaiting)?,
            None => false,
        };
        Ok(Some(Block {
            task,
            generating: space.follow(at, Field::ExplicitTaskGenerating)?,
            region,
            taskgroup: space.follow(at, Field::ExplicitTaskTaskgroup)?,
            ties,
            is_counted: space.flag(at, Field::ExplicitTaskIsCounted)?,
            is_dependent: depends,
            waits,
        }))
    }
}

/// The blocks of a piece of memory.
fn blocks_of(space: &AddressSpace, piece: u64) -> Answer<Vec<u64>> {
    let first = space.object(piece, Field::TaskPieceFirst)?;
    let step = space.number(piece, Field::TaskPieceStep)?;
    let count = space.number(piece, Field::TaskPieceCount)?.min(MOST_OF_A_PIECE);
    Ok((0..count).map(|index| first.wrapping_add(index.wrapping_mul(step))).collect())
}

/// The generations that a task with these ties belongs to.
fn generations(space: &AddressSpace, ties: u64) -> Answer<Vec<u64>> {
    let first = match space.follow(ties, Field::TiesElsewhere)? {
        Some(elsewhere) => elsewhere,
        None => space.object(ties, Field::TiesInline)?,
    };
    let step = space.size_of(oxomp_ompd_layout::Object::Tie)?;
    let length = space.number(ties, Field::TiesLength)?.min(MOST_TIES);
    let mut found = Vec::new();
    for index in 0..length {
        let tie = first.wrapping_add(index.wrapping_mul(step));
        found.extend(space.follow(tie, Field::TieGeneration)?);
    }
    Ok(found)
}

/// The ties of the tasks in a list of waits.
fn waiters(space: &AddressSpace, generation: u64, head: Field) -> Vec<u64> {
    let first = space.follow(generation, head).unwrap_or(None);
    let waits = list(space, first, Field::DependenceWaitNext);
    let ties = |wait| space.follow(wait, Field::DependenceWaitTies).unwrap_or(None);
    waits.into_iter().filter_map(ties).collect()
}
