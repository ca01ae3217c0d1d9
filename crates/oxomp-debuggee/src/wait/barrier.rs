//! Barriers: which members of the team have not arrived.

use oxomp_ompd_layout::{Field, Object};
use oxomp_sys::ompt::ompt_state_t;

use super::Member;
use crate::address_space::AddressSpace;
use crate::{Answer, LONGEST_WALK, Parallel, Thread, implicit_task};

/// Whether a state is one of waiting at a barrier.
pub(super) fn is_barrier(state: ompt_state_t) -> bool {
    (ompt_state_t::WAIT_BARRIER.0..=ompt_state_t::WAIT_BARRIER_TEAMS.0).contains(&state.0)
}

/// The members of a region's team.
pub(super) fn members(space: &AddressSpace, region: Parallel) -> Answer<Vec<(u64, Member)>> {
    let tasks = space.objects(region.address(), Field::ParallelTasks)?;
    let member = |(number, at): (usize, u64)| {
        let thread = implicit_task::thread(space, at).and_then(|at| Thread::at(space, at)).ok();
        let task = region.task_of(space, at).ok();
        (at, Member { number: number as u64, task, thread, has_left: false })
    };
    Ok(tasks.into_iter().enumerate().filter(|(_, at)| *at != 0).map(member).collect())
}

/// What a thread shows of its member's arrival at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrival {
    /// The member has not arrived.
    Missing,
    /// It has arrived.
    Arrived,
    /// A worker has arrived at the end of the region: at this barrier, or at an earlier one of the
    /// team, at which other threads met in another place. In the latter case it has left the
    /// region.
    AtEnd,
    /// A worker has left the region.
    Left,
    /// The thread executes an explicit task: the member may have arrived before.
    Unknown,
}

/// The members of the region's team that have not arrived at the barrier at which a thread waits.
pub(super) fn missing(space: &AddressSpace, region: Parallel) -> Answer<Vec<Member>> {
    let members = members(space, region)?;
    let arrivals: Vec<Arrival> = members
        .iter()
        .map(|(at, member)| arrival(space, *at, member).unwrap_or(Arrival::Unknown))
        .collect();
    let groups = groups(space, region, members.len()).unwrap_or_default();
    let mut first = 0;
    let mut missing = Vec::new();
    for &(arrived, expected) in &groups.of_threads {
        let last = (first + expected).min(members.len());
        let in_group = &arrivals[first..last];
        let is_complete = arrived == 0 && groups.may_be_complete();
        for ((_, member), state) in members[first..last].iter().zip(in_group) {
            let is_missing = is_missing(*state, arrived, is_complete, in_group);
            let has_left = matches!(state, Arrival::AtEnd | Arrival::Left);
            missing.extend(is_missing.then_some(Member { has_left, ..*member }));
        }
        first = last;
    }
    let rest = members[first..].iter().zip(&arrivals[first..]);
    let rest = rest.filter(|(_, state)| !matches!(state, Arrival::Arrived | Arrival::AtEnd));
    missing.extend(rest.map(|((_, member), _)| *member));
    Ok(missing)
}

/// Whether a member is missing whose thread shows `state`. In its group `arrived` members have
/// arrived, and the threads show `all`. The count is 0 again when the whole group has arrived, as
/// it has if it `may_be_complete` and threads wait there.
fn is_missing(state: Arrival, arrived: usize, may_be_complete: bool, all: &[Arrival]) -> bool {
    let count = |wanted: &[Arrival]| all.iter().filter(|state| wanted.contains(state)).count();
    let there = count(&[Arrival::Arrived, Arrival::AtEnd]);
    if may_be_complete && there != 0 {
        return false;
    }
    match state {
        Arrival::Missing | Arrival::Left => true,
        Arrival::Arrived => false,
        // More threads seem to be there than have arrived, and those in the state `Arrived` are as
        // many as have: so those at the end have left before. If only some of those at the end have
        // arrived, it is not known which.
        Arrival::AtEnd => there > arrived && count(&[Arrival::Arrived]) >= arrived,
        Arrival::Unknown => there + count(&[Arrival::Unknown]) != arrived,
    }
}

/// The arrivals that a barrier has counted.
#[derive(Debug, Default)]
struct Groups {
    /// For each group of threads how many have arrived, and how many have to.
    of_threads: Vec<(usize, usize)>,
    /// The groups of threads that are complete, if there is one group of them.
    complete: Option<usize>,
}

impl Groups {
    /// Whether a group of which no thread is counted may be complete. A complete group is counted
    /// in the group above, whose count is 0 again when the whole barrier is complete.
    fn may_be_complete(&self) -> bool {
        let is_over = self.of_threads.iter().all(|(arrived, _)| *arrived == 0);
        self.complete != Some(0) || is_over
    }
}

/// The counts of the region's barrier, whose team has `size` members.
fn groups(space: &AddressSpace, region: Parallel, size: usize) -> Answer<Groups> {
    let barrier = space.object(region.address(), Field::ParallelBarrierWords)?;
    let first = space.number(barrier, Field::BarrierGroups)?;
    let step = space.size_of(Object::BarrierGroup)?;
    let group = |index: usize| -> Answer<(usize, usize)> {
        let at = first.wrapping_add(step.wrapping_mul(index as u64));
        let number = |field| Ok(space.number(at, field)?.min(size as u64) as usize);
        Ok((number(Field::BarrierGroupArrived)?, number(Field::BarrierGroupExpected)?))
    };
    let (mut of_threads, mut covered) = (Vec::new(), 0);
    while covered < size {
        let (arrived, expected) = group(of_threads.len())?;
        if expected == 0 {
            break;
        }
        of_threads.push((arrived, expected));
        covered += expected;
    }
    let count = of_threads.len();
    let above = if count > 1 { group(count).ok() } else { None };
    let complete = above.filter(|(_, expected)| *expected == count).map(|(arrived, _)| arrived);
    Ok(Groups { of_threads, complete })
}

/// What the thread of the member at `at` shows of its arrival at the barrier of its team.
fn arrival(space: &AddressSpace, at: u64, member: &Member) -> Answer<Arrival> {
    let Some(thread) = member.thread else { return Ok(Arrival::Missing) };
    let innermost = thread.object(space, Field::ThreadImplicitTask)?;
    let state = thread.raw_state(space)?;
    // The task of the team that the thread executes, or has left for an inner region.
    let mut task = thread.object(space, Field::ThreadTask)?;
    let mut implicit = innermost;
    for _ in 0..LONGEST_WALK {
        if implicit == at {
            break;
        }
        let region = implicit_task::region(space, implicit)?;
        let Some(around) = space.follow(region, Field::ParallelEncountering)? else {
            // The thread has not begun the region.
            return Ok(Arrival::Missing);
        };
        if around == at && space.flag(region, Field::ParallelIsOfLeague)? {
            // The thread waits for the end of the league in the last initial task of its member.
            let is_initial = task == implicit && implicit == innermost;
            return Ok(match is_initial && state == ompt_state_t::WAIT_BARRIER_TEAMS {
                true => Arrival::Arrived,
                false => Arrival::Missing,
            });
        }
        task = space.follow(region, Field::ParallelEncounteringTask)?.unwrap_or(around);
        implicit = around;
    }
    let waits = innermost == at && is_barrier(state);
    if task == at {
        let is_end = state == ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL;
        return Ok(match state {
            ompt_state_t::IDLE if innermost == at => Arrival::Left,
            _ if waits && is_end && member.number != 0 => Arrival::AtEnd,
            _ if waits => Arrival::Arrived,
            _ => Arrival::Missing,
        });
    }
    // The thread executes an explicit task on top of the implicit one.
    let tasks = space.follow(at, Field::ImplicitTaskMemberTasks)?;
    let helps = match tasks {
        Some(tasks) => space.flag(tasks, Field::MemberTasksHelping)?,
        None => false,
    };
    // Without a listener the state stays that of the implicit task.
    Ok(if helps || waits { Arrival::Arrived } else { Arrival::Unknown })
}
