//! Entry points about the calling thread (the 2015 report §5.4).

use oxomp_sys::report_2015::{ompt_state_t as Report, ompt_thread_id_t, ompt_wait_id_t};

use super::super::super::entry_point::{caller, store};
use super::super::number;
use crate::block::Thread;
use crate::ompt::event::State;

/// `ompt_get_thread_id`: 0 for a thread that the runtime does not know.
pub(super) unsafe extern "C" fn get_thread_id() -> ompt_thread_id_t {
    caller().map_or(0, |thread| number::of_thread(&thread.ompt))
}

/// `ompt_get_state`: undefined for a thread that the runtime does not know, and after the tool's
/// end. The wait id is 0 unless the thread waits for a mutex.
///
/// # Safety
/// `wait_id` is null or writable.
pub(super) unsafe extern "C" fn get_state(wait_id: *mut ompt_wait_id_t) -> Report {
    let (state, waits_for) = caller().map_or((Report::UNDEFINED, 0), state);
    // SAFETY: `wait_id` is null or writable (`# Safety`).
    unsafe { store(wait_id, waits_for) };
    state
}

/// The thread's state, and the mutex that it waits for (§2).
fn state(thread: &Thread) -> (Report, u64) {
    let wait_id = thread.ompt.wait_id.get();
    let state = match thread.state() {
        State::WorkSerial => Report::WORK_SERIAL,
        State::WorkParallel => Report::WORK_PARALLEL,
        State::WorkReduction => Report::WORK_REDUCTION,
        State::WaitBarrierImplicitParallel | State::WaitBarrierImplicitWorkshare => {
            Report::WAIT_BARRIER_IMPLICIT
        }
        State::WaitBarrierExplicit => Report::WAIT_BARRIER_EXPLICIT,
        State::WaitBarrierImplementation | State::WaitBarrierTeams => Report::WAIT_BARRIER,
        State::WaitTaskwait => Report::WAIT_TASKWAIT,
        State::WaitTaskgroup => Report::WAIT_TASKGROUP,
        State::WaitLock if thread.ompt.waits_for_nest_lock.get() => {
            return (Report::WAIT_NEST_LOCK, wait_id);
        }
        State::WaitLock => return (Report::WAIT_LOCK, wait_id),
        State::WaitCritical => return (Report::WAIT_CRITICAL, wait_id),
        State::WaitAtomic => return (Report::WAIT_ATOMIC, wait_id),
        State::WaitOrdered => return (Report::WAIT_ORDERED, wait_id),
        State::WaitTarget => Report::WAIT_TARGET,
        State::Idle => Report::IDLE,
        State::Overhead => Report::OVERHEAD,
        State::Undefined => Report::UNDEFINED,
    };
    (state, 0)
}
