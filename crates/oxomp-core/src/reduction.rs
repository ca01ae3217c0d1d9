//! Combining the partial results of a team (OpenMP 5.2 §5.5), the part that the runtime decides.

use crate::arch::CallSite;
use crate::mutex::critical::Critical;
use crate::ompt::event::{Endpoint, State, emit};
use crate::thread::Thread;

/// How the calling thread combines what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The thread is alone: without any protection.
    Alone,
    /// In the compiler's code, between `begin` and `end`, which exclude the other threads.
    Exclusive,
}

/// Begins the combining of the calling thread's partial results, protected by `lock`.
///
/// One short exclusive stretch a thread beats an atomic update an element as soon as there is more
/// than one (`parallel_reduction_arr64`), and costs about as much for one (`parallel_reduction`).
#[inline(always)]
pub fn begin(thread: &Thread, lock: &Critical, site: CallSite) -> Method {
    let task = thread.task();
    emit::reduction(Endpoint::Begin, &task.ompt, site);
    if task.team().size() == 1 {
        return Method::Alone;
    }
    lock.enter_quietly();
    thread.set_state(State::WorkReduction);
    Method::Exclusive
}

/// Ends what `begin` began.
#[inline(always)]
pub fn end(thread: &Thread, lock: &Critical, site: CallSite) {
    let task = thread.task();
    if task.team().size() != 1 {
        thread.set_state(State::WorkParallel);
        lock.leave_quietly();
    }
    emit::reduction(Endpoint::End, &task.ompt, site);
}
