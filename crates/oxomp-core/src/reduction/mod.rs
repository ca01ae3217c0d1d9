//! Reductions (OpenMP 5.2 §5.5): in which way the threads of a team combine their partial results.

mod state;

use core::ffi::c_void;

use oxomp_arch::CallSite;
use oxomp_base::settings;
use oxomp_protocol::tree;

use crate::block::{ImplicitTask, Thread};
use crate::mutex::critical::Critical;
use crate::ompt::event::{Audience, Endpoint, State, for_audience};

pub(crate) use state::ReductionState;

/// The partial results of a thread: its list of private copies, and the compiler's function that
/// combines the second of two lists into the first.
#[derive(Clone, Copy, Debug)]
pub struct Partial {
    /// The compiler's list of pointers to the thread's private copies.
    pub list: *mut c_void,
    /// The compiler's function: combines the copies of the second list into those of the first.
    pub combine: unsafe extern "C" fn(*mut c_void, *mut c_void),
}

/// The calling thread's next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The thread combines its partial results into the originals, in the compiler's code, and
    /// calls `end`.
    Combine,
    /// The thread is done: another thread has combined its partial results.
    Nothing,
}

/// The threads of teams up to this size take turns under a lock: one critical section per thread
/// beats one atomic update per element if there are several elements (`parallel_reduction_arr64`),
/// and costs about as much for one element (`parallel_reduction`). Larger teams combine in a tree,
/// as do teams that must combine in the same order each time (KMP_DETERMINISTIC_REDUCTION).
const TAKE_TURNS: u32 = 4;

/// Begins to combine the calling thread's partial results. `lock` protects the originals.
#[inline(always)]
pub fn begin(thread: &Thread, lock: &Critical, partial: Option<Partial>, site: CallSite) -> Turn {
    for_audience!(|audience| begin_for(audience, thread, lock, partial, site))
}

#[inline(always)]
fn begin_for(
    audience: impl Audience,
    thread: &Thread,
    lock: &Critical,
    partial: Option<Partial>,
    site: CallSite,
) -> Turn {
    let task = thread.implicit_task();
    audience.reduction(Endpoint::Begin, &task.ompt, site);
    let size = task.team().size();
    if size == 1 {
        if task.team().is_of_league() {
            // The originals belong to all teams of the league.
            lock.enter_quietly();
            task.reduction.has_lock.set(true);
        }
        return Turn::Combine;
    }
    let before = thread.set_state(State::WorkReduction);
    let in_a_tree = size > TAKE_TURNS || settings::is_reduction_deterministic();
    if let (Some(partial), true) = (partial, in_a_tree) {
        let turn = gather(task, partial);
        if turn == Turn::Nothing {
            thread.set_state(before);
            audience.reduction(Endpoint::End, &task.ompt, site);
        }
        return turn;
    }
    lock.enter_quietly();
    task.reduction.has_lock.set(true);
    Turn::Combine
}

/// Whether the threads of a construct without nowait meet at a barrier after a reduction, since all
/// have the result then. The initial threads of a league do not: the league ends for all of them.
pub fn ends_at_a_barrier(thread: &Thread) -> bool {
    !thread.team().is_of_league()
}

/// Ends the reduction that `begin` began, after `Turn::Combine`.
#[inline(always)]
pub fn end(thread: &Thread, lock: &Critical, site: CallSite) {
    for_audience!(|audience| end_for(audience, thread, lock, site));
}

#[inline(always)]
fn end_for(audience: impl Audience, thread: &Thread, lock: &Critical, site: CallSite) {
    let task = thread.implicit_task();
    if task.team().size() != 1 {
        thread.set_state(State::WorkParallel);
    }
    if task.reduction.has_lock.replace(false) {
        lock.leave_quietly();
    }
    audience.reduction(Endpoint::End, &task.ompt, site);
}

/// Combines the partial results in a tree.
#[cold]
#[inline(never)]
fn gather(task: &ImplicitTask, partial: Partial) -> Turn {
    let team = task.team();
    let is_top = tree::gather(
        task.thread_num(),
        team.size(),
        |thread_num| team.member(thread_num).offer(),
        team.patience(),
        |thread_num| team.has_left(thread_num),
        partial.list,
        // SAFETY: the compiler made the function for these lists, and the thread that offered
        // `from` waits until this thread has combined it.
        |into, from| unsafe { (partial.combine)(into, from) },
    );
    if is_top { Turn::Combine } else { Turn::Nothing }
}
