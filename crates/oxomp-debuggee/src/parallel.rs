//! Parallel regions, the implicit ones around initial tasks, and leagues.

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_rc_t, ompd_team_generator_t};

use crate::Answer;
use crate::address_space::AddressSpace;
use crate::implicit_task;
use crate::task::Task;
use crate::thread::Thread;

/// A region: a block of the runtime, and the generation that tells it from other regions that had
/// or will have the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parallel {
    at: u64,
    generation: u64,
}

/// The region whose generation and tool's word count for the region at `at`: the league for the
/// region around the initial task of one of its teams.
fn recorded(space: &AddressSpace, at: u64) -> Answer<u64> {
    if !space.flag(at, Field::ParallelIsOfLeague)? {
        return Ok(at);
    }
    let member = space.object(at, Field::ParallelEncountering)?;
    implicit_task::region(space, member)
}

impl Parallel {
    /// The region whose block is at `at`; `unavailable` if it is over.
    pub fn at(space: &AddressSpace, at: u64) -> Answer<Self> {
        let generation = space.number(recorded(space, at)?, Field::ParallelGeneration)?;
        match space.lives(generation)? {
            true => Ok(Parallel { at, generation }),
            false => Err(ompd_rc_t::UNAVAILABLE),
        }
    }

    /// The address of its block.
    pub(crate) fn address(self) -> u64 {
        self.at
    }

    /// Fails with `stale_handle` if the region is over.
    pub fn check(self, space: &AddressSpace) -> Answer<()> {
        match Parallel::at(space, self.at) {
            Ok(present) if present == self => Ok(()),
            Ok(_) | Err(ompd_rc_t::UNAVAILABLE) => Err(ompd_rc_t::STALE_HANDLE),
            Err(code) => Err(code),
        }
    }

    /// Whether the region is not over, which generations tell where they are counted. Elsewhere a
    /// region runs while the thread of the encountering task is inside.
    pub fn is_running(self, space: &AddressSpace) -> Answer<bool> {
        if self.generation != 0 {
            return Ok(true);
        }
        let Some(encountering) = space.follow(self.at, Field::ParallelEncountering)? else {
            return Ok(true);
        };
        let primary = implicit_task::thread(space, encountering)?;
        match space.follow(primary, Field::ThreadImplicitTask)? {
            Some(innermost) => implicit_task::is_inside(space, innermost, self.at),
            None => Ok(false),
        }
    }

    /// Whether the implicit task at `task`, whose region's block this is, is one of the region. The
    /// block is used again: a worker may have left it when it was that of a larger team.
    pub fn has(self, space: &AddressSpace, task: u64) -> Answer<bool> {
        let number = space.number(task, Field::ImplicitTaskThreadNum)?;
        Ok(self.generation != 0 || number < self.number(space, Field::ParallelSize)?)
    }

    /// A number of the region.
    pub fn number(self, space: &AddressSpace, field: Field) -> Answer<u64> {
        space.number(self.at, field)
    }

    /// The tool's word of the region.
    pub fn data(self, space: &AddressSpace) -> Answer<u64> {
        space.number(recorded(space, self.at)?, Field::ParallelData)
    }

    /// The task that encountered the construct, as an address; `None` for the region around the
    /// program. For the initial task of a team of a league that is the task that encountered the
    /// league.
    pub fn encountering_task(self, space: &AddressSpace) -> Answer<Option<u64>> {
        let at = recorded(space, self.at)?;
        match space.follow(at, Field::ParallelEncounteringTask)? {
            Some(task) => Ok(Some(task)),
            None => space.follow(at, Field::ParallelEncountering),
        }
    }

    /// The region around this one; `unavailable` for the outermost.
    pub fn enclosing(self, space: &AddressSpace) -> Answer<Self> {
        let encountering = space.object(self.at, Field::ParallelEncountering)?;
        Parallel::at(space, implicit_task::region(space, encountering)?)
    }

    /// The implicit task with this number, as an address.
    ///
    /// # Errors
    /// `bad_input` if the team has no such thread.
    fn member(self, space: &AddressSpace, number: i32) -> Answer<u64> {
        let size = self.number(space, Field::ParallelSize)?;
        let number = u64::try_from(number).map_err(|_| ompd_rc_t::BAD_INPUT)?;
        if number >= size {
            return Err(ompd_rc_t::BAD_INPUT);
        }
        let members = space.objects(self.at, Field::ParallelTasks)?;
        let member = usize::try_from(number).ok().and_then(|number| members.get(number).copied());
        member.filter(|at| *at != 0).ok_or(ompd_rc_t::UNAVAILABLE)
    }

    /// The implicit task with this number; of a league, the initial task that the member with this
    /// number executes, and `unavailable` if it executes none.
    pub fn task(self, space: &AddressSpace, number: i32) -> Answer<Task> {
        self.task_of(space, self.member(space, number)?)
    }

    /// The implicit task of the member at `member`, or the initial task that it executes.
    pub(crate) fn task_of(self, space: &AddressSpace, member: u64) -> Answer<Task> {
        match self.is_league(space)? {
            true => Task::at(space, implicit_task::initial_of(space, member)?),
            false => Task::of_region(space, member, self),
        }
    }

    /// The thread with this number in the team.
    pub fn thread(self, space: &AddressSpace, number: i32) -> Answer<Thread> {
        Thread::at(space, implicit_task::thread(space, self.member(space, number)?)?)
    }

    /// Whether the region is a league.
    pub fn is_league(self, space: &AddressSpace) -> Answer<bool> {
        space.flag(self.at, Field::ParallelLeagueSize)
    }

    /// *team-generator-var*: the construct that formed the team.
    pub fn generator(self, space: &AddressSpace) -> Answer<ompd_team_generator_t> {
        if self.is_league(space)? || space.flag(self.at, Field::ParallelIsOfLeague)? {
            return Ok(ompd_team_generator_t::TEAMS);
        }
        if space.follow(self.at, Field::ParallelEncountering)?.is_none() {
            return Ok(ompd_team_generator_t::PROGRAM);
        }
        // The initial task of a target region has a region of its own, at level 0.
        Ok(match self.number(space, Field::ParallelLevel)? {
            0 => ompd_team_generator_t::TARGET,
            _ => ompd_team_generator_t::PARALLEL,
        })
    }

    /// A number of the contention group of the region's threads.
    pub fn group_number(self, space: &AddressSpace, field: Field) -> Answer<u64> {
        let group = space.object(self.at, Field::ParallelContentionGroup)?;
        space.number(group, field)
    }
}
