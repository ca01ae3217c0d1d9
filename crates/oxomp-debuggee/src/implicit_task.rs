//! Implicit and initial tasks: their threads, and the regions around them.

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;

use crate::address_space::AddressSpace;
use crate::{Answer, LONGEST_WALK, thread};

/// The region of the implicit task at `task`.
pub(crate) fn region(space: &AddressSpace, task: u64) -> Answer<u64> {
    space.object(task, Field::ImplicitTaskParallel)
}

/// The thread that executes the implicit task at `task`, as an address. Thread 0 of a team is the
/// thread of the encountering task; an initial task outside of all regions is executed by the
/// thread that has it as its initial task.
pub(crate) fn thread(space: &AddressSpace, task: u64) -> Answer<u64> {
    let mut task = task;
    for _ in 0..LONGEST_WALK {
        if let Some(thread) = space.follow(task, Field::ImplicitTaskThread)? {
            return Ok(thread);
        }
        match space.follow(region(space, task)?, Field::ParallelEncountering)? {
            Some(encountering) => task = encountering,
            None => return thread_of_initial(space, task),
        }
    }
    Err(ompd_rc_t::ERROR)
}

fn thread_of_initial(space: &AddressSpace, task: u64) -> Answer<u64> {
    for thread in thread::blocks(space)? {
        if space.follow(thread, Field::ThreadInitialTask)? == Some(task) {
            return Ok(thread);
        }
    }
    Err(ompd_rc_t::UNAVAILABLE)
}

/// The initial task that the member of a league at `member` executes, as an address; `unavailable`
/// if it executes none.
pub(crate) fn initial_of(space: &AddressSpace, member: u64) -> Answer<u64> {
    let mut task = space.object(thread(space, member)?, Field::ThreadImplicitTask)?;
    for _ in 0..LONGEST_WALK {
        let region = region(space, task)?;
        let around = space.object(region, Field::ParallelEncountering)?;
        if around == member && space.flag(region, Field::ParallelIsOfLeague)? {
            return Ok(task);
        }
        task = around;
    }
    Err(ompd_rc_t::ERROR)
}

/// Whether `wanted` is the region of the implicit task at `task`, or encloses it.
pub(crate) fn is_inside(space: &AddressSpace, task: u64, wanted: u64) -> Answer<bool> {
    let mut next = Some(task);
    for _ in 0..LONGEST_WALK {
        let Some(task) = next else { return Ok(false) };
        let around = region(space, task)?;
        if around == wanted {
            return Ok(true);
        }
        next = space.follow(around, Field::ParallelEncountering)?;
    }
    Err(ompd_rc_t::ERROR)
}
