//! Entry points about the calling thread: data word, state, processor, place, target region, and
//! the mutexes that it acquires without events.

use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_base::os;
use oxomp_base::places::{Partition, PlaceNum};
use oxomp_sys::ompt::{ompt_data_t, ompt_id_t, ompt_state_t, ompt_wait_id_t};
use oxomp_sys::unreported::oxomp_unreported_t;

use super::super::encoder_5x::thread_data;
use super::super::entry_point::{caller, store, store_all};
use super::super::phase::answers;
use crate::block::{ImplicitTask, Thread};
use crate::ompt::event::State;

/// `ompt_get_thread_data`: null for a thread that the runtime does not know.
pub(super) unsafe extern "C" fn get_thread_data() -> *mut ompt_data_t {
    caller().map_or(ptr::null_mut(), |thread| thread_data(&thread.ompt))
}

/// `ompt_get_state`: undefined for a thread that the runtime does not know, 0 after the tool's end,
/// when states are not kept any more. The wait id is stored in every state; it is 0 if the thread
/// does not wait for a mutex.
///
/// # Safety
/// `wait_id` is null or writable.
pub(super) unsafe extern "C" fn get_state(wait_id: *mut ompt_wait_id_t) -> ompt_state_t {
    let thread = caller();
    let state = match thread {
        Some(thread) => thread.state(),
        None if answers() => State::Undefined,
        None => State::WorkSerial,
    };
    let waits_for = match state {
        State::WaitLock | State::WaitCritical | State::WaitAtomic | State::WaitOrdered => {
            thread.map_or(0, |thread| thread.ompt.wait_id.get())
        }
        _ => 0,
    };
    // SAFETY: `wait_id` is null or writable (`# Safety`).
    unsafe { store(wait_id, waits_for) };
    ompt_state_t(state as c_int)
}

/// `ompt_get_proc_id`: the processor that the caller runs on; negative if the kernel does not tell,
/// and after the tool's end.
pub(super) unsafe extern "C" fn get_proc_id() -> c_int {
    if answers() { os::current_processor() } else { -1 }
}

/// `ompt_get_place_num`: -1 if the thread is not bound.
pub(super) unsafe extern "C" fn get_place_num() -> c_int {
    caller().map_or(PlaceNum::NONE, Thread::place).to_omp()
}

/// `ompt_get_partition_place_nums`: the number of places in the innermost implicit task's
/// partition; stores their numbers if there is room for all.
///
/// # Safety
/// `place_nums` is null or has room for `place_nums_size` numbers.
pub(super) unsafe extern "C" fn get_partition_place_nums(
    place_nums_size: c_int,
    place_nums: *mut c_int,
) -> c_int {
    let task = caller().and_then(Thread::implicit_task_if_any);
    let partition = task.map_or(Partition::EMPTY, ImplicitTask::partition);
    let (len, numbers) = (partition.len.cast_signed(), partition.places().map(u32::cast_signed));
    // SAFETY: `place_nums` is null or has room for `place_nums_size` numbers (`# Safety`).
    unsafe { store_all(place_nums, place_nums_size, len, numbers) };
    len
}

/// `ompt_get_target_info`: 1 in a target construct that oxomp's libomptarget executes, and in a
/// target region that the host executes, else 0.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_target_info(
    device_num: *mut u64,
    target_id: *mut ompt_id_t,
    host_op_id: *mut ompt_id_t,
) -> c_int {
    let thread = caller();
    if let Some(construct) = thread.and_then(|thread| thread.ompt.target()) {
        // SAFETY: the pointers are null or writable (`# Safety`).
        unsafe {
            // Relaxed: the calling thread writes them.
            store(device_num, construct.device_num.load(Relaxed));
            store(target_id, construct.target_id.load(Relaxed));
            store(host_op_id, construct.host_op_id.load(Relaxed));
        }
        return 1;
    }
    let task = thread.and_then(Thread::implicit_task_if_any);
    let Some(target) = task.and_then(|task| task.team().target()) else { return 0 };
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe {
        store(device_num, u64::from(target.device_num));
        store(target_id, target.id);
        // The thread that initiates an operation is not in its region yet.
        store(host_op_id, 0);
    }
    1
}

/// `oxomp_lend_unreported`: 0 for a thread that the runtime does not know, and where the runtime
/// itself has to hear of each acquisition.
///
/// # Safety
/// `table` is null, or a table that is valid as long as the process lives and that no other thread
/// has.
pub(super) unsafe extern "C" fn lend_unreported(table: *mut oxomp_unreported_t) -> c_int {
    c_int::from(caller().is_some_and(|thread| thread.ompt.lend_unreported(table)))
}
