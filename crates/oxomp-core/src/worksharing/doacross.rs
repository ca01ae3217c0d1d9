//! Doacross loop nests: an iteration waits for others, which post their completion (OpenMP 5.2
//! §15.9.7, the ordered construct with a doacross clause, and the depend clause with `source` or
//! `sink` of OpenMP 4.5).

use core::ptr;

use oxomp_arch::CallSite;
use oxomp_protocol::loops::Iteration;
use oxomp_sys::ompt::ompt_dependence_type_t;
use smallvec::SmallVec;

use super::Dimension;
use super::state::in_doacross::{DoacrossState, SharedNest};
use super::waiting::Waiting;
use crate::block::{ImplicitTask, Thread};
use crate::ompt::event::{Audience, DependenceRecord, MutexKind, emit, for_audience};

/// The vector of an iteration as the program passed it.
fn vector_of(state: &DoacrossState, element: impl Fn(usize) -> u64) -> Box<[u64]> {
    (0..state.depth()).map(element).collect()
}

/// Emits the event of a doacross clause.
fn report(task: &ImplicitTask, kind: ompt_dependence_type_t, element: impl Fn(usize) -> u64) {
    if emit::wants_dependences() {
        let record = |index| DependenceRecord { variable: element(index), kind: kind.0 };
        // A nest of up to four loops needs no allocation.
        let list: SmallVec<[_; 4]> = (0..task.worksharing.doacross.depth()).map(record).collect();
        emit::dependences(&task.ompt, &list);
    }
}

/// Posts an iteration of a team of several threads.
#[inline(never)]
fn post(nest: SharedNest<'_>, element: impl Fn(usize) -> u64 + Copy) {
    if let Some(it) = nest.state.iteration(element) {
        nest.posting().post(it, || vector_of(nest.state, element));
    }
}

/// Waits for an iteration in a team of several threads. Returns false for a vector that is not in
/// the iteration space, and stands for no dependence.
#[inline(never)]
fn wait(thread: &Thread, nest: SharedNest<'_>, element: impl Fn(usize) -> u64 + Copy) -> bool {
    let Some(it) = nest.state.iteration(element) else { return false };
    if !nest.posting().is_posted(it, || vector_of(nest.state, element)) {
        block(thread, nest, it, element);
    }
    true
}

#[cold]
#[inline(never)]
fn block(
    thread: &Thread,
    nest: SharedNest<'_>,
    it: Iteration,
    element: impl Fn(usize) -> u64 + Copy,
) {
    let (state, posting) = (nest.state, nest.posting());
    let team = thread.team();
    // A thread that is alone does not wait: the threads that executed the other iterations may be
    // gone after a fork(2).
    if team.size() == 1 {
        return;
    }
    let vector = || vector_of(state, element);
    thread.ompt.wait_for(MutexKind::Ordered, ptr::from_ref(posting.posted()) as u64, || {
        state.awaited.show(&(0..state.depth()).map(element).collect(), || {
            posting.wait(it, vector, team.patience(), || team.is_cancelled());
        });
    });
}

#[inline(always)]
fn post_for(
    audience: impl Audience,
    task: &ImplicitTask,
    element: impl Fn(usize) -> u64 + Copy,
    site: CallSite,
) {
    let state = &task.worksharing.doacross;
    let _frame = audience.enter(&task.ompt, site);
    if audience.is_listening() && state.is_active() {
        report(task, ompt_dependence_type_t::SOURCE, element);
    }
    if let Some(nest) = state.shared() {
        post(nest, element);
    }
}

#[inline(always)]
fn wait_for(
    audience: impl Audience,
    thread: &Thread,
    task: &ImplicitTask,
    element: impl Fn(usize) -> u64 + Copy,
    site: CallSite,
) {
    let state = &task.worksharing.doacross;
    let _frame = audience.enter(&task.ompt, site);
    let is_dependence = match state.shared() {
        Some(nest) => wait(thread, nest, element),
        None => audience.is_listening() && state.is_active() && state.iteration(element).is_some(),
    };
    if audience.is_listening() && is_dependence {
        report(task, ompt_dependence_type_t::SINK, element);
    }
}

impl Thread {
    /// Begins a doacross loop nest in the current implicit task: its loops, the outermost first.
    /// Comes before the beginning of the worksharing loop that hands out its iterations.
    pub fn begin_doacross(&self, dimensions: impl Iterator<Item = Dimension>) {
        let task = self.implicit_task();
        let loops = &task.worksharing;
        let team = task.team();
        let state = &loops.doacross;
        if state.is_active() {
            // A thread that left the last nest by a jump has not left the slot of that nest. Others
            // wait for the slot.
            state.end();
        }
        state.begin(dimensions);
        let size = team.size();
        if size != 1 {
            let number = loops.count.get();
            loops.count.set(number.wrapping_add(1));
            let waiting = Waiting::new(self, team);
            let is_cancelled = move || waiting.is_cancelled();
            if let Some(slot) = team.loops.enter(number, team.patience(), is_cancelled) {
                state.share(slot, number, size);
            }
        }
    }

    /// Ends the doacross loop nest, unless it has ended: at the end of the chunks, or where the
    /// compiled code says so.
    #[cold]
    pub fn end_doacross(&self) {
        self.implicit_task().worksharing.doacross.end();
    }
}

/// The calling thread posts an iteration of its doacross loop nest: its vector has `element(n)` for
/// the loop number `n`, from 0, of the nest.
#[inline(always)]
pub fn post_iteration(element: impl Fn(usize) -> u64 + Copy, site: CallSite) {
    if let Some(task) = Thread::known().and_then(Thread::implicit_task_if_any) {
        for_audience!(|audience| post_for(audience, task, element, site));
    }
}

/// The calling thread waits until an iteration of its doacross loop nest is posted.
#[inline(always)]
pub fn await_iteration(element: impl Fn(usize) -> u64 + Copy, site: CallSite) {
    if let Some(thread) = Thread::known()
        && let Some(task) = thread.implicit_task_if_any()
    {
        for_audience!(|audience| wait_for(audience, thread, task, element, site));
    }
}
