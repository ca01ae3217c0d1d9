//! Mutexes: the owner in the word of each.

use oxomp_ompd_layout::Field;

use super::in_flight::TasksInFlight;
use super::{FrameBits, Mutex, Owner};
use crate::address_space::AddressSpace;
use crate::{Answer, Thread, implicit_task, thread};

/// No owner has this number or a greater one.
const NO_NUMBER: u32 = 1 << 31;
/// The word of a destroyed lock.
const DESTROYED: u32 = 0x7fff_fffe;
/// `ThreadNestLockOwner`: threads own the lock.
const OWNED_BY_THREADS: u64 = 2;

/// Whether the mutex is one that the runtime holds for itself, so that a thread may wait for it in
/// a state that is not one of a mutex.
pub(super) fn is_own(space: &AddressSpace, wait_id: u64) -> bool {
    let word = if wait_id == 0 { Ok(0) } else { space.u32_at(wait_id) };
    word.is_ok_and(is_runtime)
}

/// Whether the owner is the runtime itself, in a reduction of some thread.
fn is_runtime(owner: u32) -> bool {
    owner < NO_NUMBER && owner % 8 == 3
}

/// Whether the owner is a frame, of which the word has bits 1 to 31 with the lowest one set.
fn is_frame(owner: u32) -> bool {
    owner < NO_NUMBER && owner % 8 == 1
}

/// The owner of a mutex for which the thread at `thread` waits.
pub(super) fn owner(
    space: &AddressSpace,
    thread: u64,
    kind: Mutex,
    wait_id: u64,
    tasks: &TasksInFlight,
) -> Owner {
    let Ok(word) = space.u32_at(wait_id) else { return Owner::Unknown };
    match word {
        0 => Owner::Free,
        owner if kind == Mutex::NestLock => of_nest_lock(space, thread, owner, tasks),
        owner if is_frame(owner) => Owner::Frame(FrameBits::of_owner(owner)),
        owner if is_runtime(owner) && kind != Mutex::Lock => match reducing(space, thread) {
            Ok(Some(thread)) => Owner::Thread(thread),
            _ => Owner::Unknown,
        },
        owner => Owner::Unsound(owner),
    }
}

fn of_nest_lock(space: &AddressSpace, thread: u64, owner: u32, tasks: &TasksInFlight) -> Owner {
    if owner == DESTROYED {
        return Owner::Unsound(owner);
    }
    if space.number(thread, Field::ThreadNestLockOwner) != Ok(OWNED_BY_THREADS) {
        let task = tasks.with_number(space, u64::from(owner));
        return task.map_or(Owner::Gone(owner), Owner::Task);
    }
    let number = u64::from(owner - 1);
    let blocks = thread::blocks(space).unwrap_or_default();
    let found = blocks.into_iter().find(|at| space.number(*at, Field::ThreadNumber) == Ok(number));
    let found = found.and_then(|at| Thread::at(space, at).ok());
    found.map_or(Owner::Gone(owner), Owner::Thread)
}

/// The thread that has the mutex of the reduction for which the thread at `thread` waits: one of
/// its team, or of its league.
fn reducing(space: &AddressSpace, thread: u64) -> Answer<Option<Thread>> {
    let mine = around(space, thread)?;
    for at in thread::blocks(space)? {
        if at == thread || !space.flag(at, Field::ThreadLwp)? {
            continue;
        }
        let Some(task) = space.follow(at, Field::ThreadImplicitTask)? else { continue };
        if space.flag(task, Field::ImplicitTaskHasReduction)? && around(space, at)? == mine {
            return Thread::at(space, at).map(Some);
        }
    }
    Ok(None)
}

/// The region of a thread; for the region of an initial task of a league, the league.
fn around(space: &AddressSpace, thread: u64) -> Answer<u64> {
    let region = implicit_task::region(space, space.object(thread, Field::ThreadImplicitTask)?)?;
    match space.flag(region, Field::ParallelIsOfLeague)? {
        true => implicit_task::region(space, space.object(region, Field::ParallelEncountering)?),
        false => Ok(region),
    }
}
