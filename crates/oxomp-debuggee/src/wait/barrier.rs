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
        (at, Member { number: number as u64, task, thread })
    };
    Ok(tasks.into_iter().enumerate().filter(|(_, at)| *at != 0).map(member).collect())
}

/// The members of the region's team that have not arrived at the barrier at which a thread waits.
pub(super) fn missing(space: &AddressSpace, region: Parallel) -> Answer<Vec<Member>> {
    let members = members(space, region)?;
    let arrivals: Vec<Option<bool>> = members
        .iter()
        .map(|(at, member)| has_arrived(space, *at, member.thread).unwrap_or(None))
        .collect();
    let groups = groups(space, region, members.len()).unwrap_or_default();
    let mut first = 0;
    let mut missing = Vec::new();
    for (arrived, expected) in groups {
        let last = (first + expected).min(members.len());
        let in_group = first..last;
        missing.extend(members[in_group.clone()].iter().zip(&arrivals[in_group]).filter_map(
            |((_, member), state)| {
                is_missing(*state, arrived, &arrivals[first..last]).then_some(*member)
            },
        ));
        first = last;
    }
    let rest = members[first..].iter().zip(&arrivals[first..]);
    missing.extend(rest.filter(|(_, state)| **state != Some(true)).map(|((_, member), _)| *member));
    Ok(missing)
}

/// Whether a member is missing, of which its thread's state says `state`, in a group of which
/// `arrived` members have arrived; `all` says what the states of the group's threads say.
fn is_missing(state: Option<bool>, arrived: usize, all: &[Option<bool>]) -> bool {
    let certain = all.iter().filter(|state| **state == Some(true)).count();
    // The count is 0 again when the whole group has arrived, as the threads show that wait there.
    if arrived == 0 && certain != 0 {
        return false;
    }
    match state {
        Some(has_arrived) => !has_arrived,
        None => {
            let possible = all.iter().filter(|state| **state != Some(false)).count();
            possible != arrived
        }
    }
}

/// The groups of the region's barrier: how many members have arrived in each, and how many have to.
fn groups(space: &AddressSpace, region: Parallel, size: usize) -> Answer<Vec<(usize, usize)>> {
    let barrier = space.object(region.address(), Field::ParallelBarrierWords)?;
    let first = space.number(barrier, Field::BarrierGroups)?;
    let step = space.size_of(Object::BarrierGroup)?;
    let (mut groups, mut covered) = (Vec::new(), 0);
    while covered < size {
        let at = first.wrapping_add(step.wrapping_mul(groups.len() as u64));
        let number = |field| Ok(space.number(at, field)?.min(size as u64) as usize);
        let expected = number(Field::BarrierGroupExpected)?;
        if expected == 0 {
            break;
        }
        groups.push((number(Field::BarrierGroupArrived)?, expected));
        covered += expected;
    }
    Ok(groups)
}

/// Whether the member at `member`, which `thread` executes, has arrived at the barrier of its team;
/// none if the thread executes an explicit task, and may have arrived before.
fn has_arrived(space: &AddressSpace, member: u64, thread: Option<Thread>) -> Answer<Option<bool>> {
    let Some(thread) = thread else { return Ok(Some(false)) };
    let innermost = thread.object(space, Field::ThreadImplicitTask)?;
    // The task of the team that the thread executes, or has left for an inner region.
    let mut task = thread.object(space, Field::ThreadTask)?;
    let mut implicit = innermost;
    for _ in 0..LONGEST_WALK {
        if implicit == member {
            break;
        }
        let region = implicit_task::region(space, implicit)?;
        let Some(around) = space.follow(region, Field::ParallelEncountering)? else {
            // The thread has not begun the region.
            return Ok(Some(false));
        };
        if around == member && space.flag(region, Field::ParallelIsOfLeague)? {
            // The thread waits for the end of the league in the last initial task of its member.
            let is_initial = task == implicit && implicit == innermost;
            let state = thread.raw_state(space)?;
            return Ok(Some(is_initial && state == ompt_state_t::WAIT_BARRIER_TEAMS));
        }
        task = space.follow(region, Field::ParallelEncounteringTask)?.unwrap_or(around);
        implicit = around;
    }
    let state = thread.raw_state(space)?;
    if task == member {
        return Ok(Some(innermost == member && is_barrier(state)));
    }
    // The thread executes an explicit task on top of the implicit one.
    let bench = space.follow(member, Field::ImplicitTaskWorkbench)?;
    let helps = match bench {
        Some(bench) => space.flag(bench, Field::WorkbenchHelping)?,
        None => false,
    };
    // Without a listener the state stays that of the implicit task.
    Ok((helps || innermost == member && is_barrier(state)).then_some(true))
}
