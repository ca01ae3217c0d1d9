//! The one table of events (OpenMP 5.0 §4.4.4.2, 5.1, 6.0 §33.6), and their numbers.

use core::ffi::c_int;
use core::mem::size_of;

/// Passes the table of all host and device events to a macro.
///
/// A row is `(number, C name, CONSTANT, rust_name, callback type);`. `$mac` is called once, with
/// all rows; the rows are in the order of their numbers, which run from 1 to 37 without a gap.
///
/// ```ignore
/// macro_rules! numbers {
///     ($(($code:literal, $c:literal, $constant:ident, $name:ident, $callback:ty);)*) => {
///         [$($code),*]
///     };
/// }
/// let numbers = oxomp_sys::for_each_event!(numbers);
/// ```
#[macro_export]
macro_rules! for_each_event {
    ($mac:path) => {
        $mac! {
            (1, c"ompt_callback_thread_begin", THREAD_BEGIN, thread_begin,
                $crate::ompt::ompt_callback_thread_begin_t);
            (2, c"ompt_callback_thread_end", THREAD_END, thread_end,
                $crate::ompt::ompt_callback_thread_end_t);
            (3, c"ompt_callback_parallel_begin", PARALLEL_BEGIN, parallel_begin,
                $crate::ompt::ompt_callback_parallel_begin_t);
            (4, c"ompt_callback_parallel_end", PARALLEL_END, parallel_end,
                $crate::ompt::ompt_callback_parallel_end_t);
            (5, c"ompt_callback_task_create", TASK_CREATE, task_create,
                $crate::ompt::ompt_callback_task_create_t);
            (6, c"ompt_callback_task_schedule", TASK_SCHEDULE, task_schedule,
                $crate::ompt::ompt_callback_task_schedule_t);
            (7, c"ompt_callback_implicit_task", IMPLICIT_TASK, implicit_task,
                $crate::ompt::ompt_callback_implicit_task_t);
            (8, c"ompt_callback_target", TARGET, target,
                $crate::ompt::ompt_callback_target_t);
            (9, c"ompt_callback_target_data_op", TARGET_DATA_OP, target_data_op,
                $crate::ompt::ompt_callback_target_data_op_t);
            (10, c"ompt_callback_target_submit", TARGET_SUBMIT, target_submit,
                $crate::ompt::ompt_callback_target_submit_t);
            (11, c"ompt_callback_control_tool", CONTROL_TOOL, control_tool,
                $crate::ompt::ompt_callback_control_tool_t);
            (12, c"ompt_callback_device_initialize", DEVICE_INITIALIZE, device_initialize,
                $crate::ompt::ompt_callback_device_initialize_t);
            (13, c"ompt_callback_device_finalize", DEVICE_FINALIZE, device_finalize,
                $crate::ompt::ompt_callback_device_finalize_t);
            (14, c"ompt_callback_device_load", DEVICE_LOAD, device_load,
                $crate::ompt::ompt_callback_device_load_t);
            (15, c"ompt_callback_device_unload", DEVICE_UNLOAD, device_unload,
                $crate::ompt::ompt_callback_device_unload_t);
            (16, c"ompt_callback_sync_region_wait", SYNC_REGION_WAIT, sync_region_wait,
                $crate::ompt::ompt_callback_sync_region_t);
            (17, c"ompt_callback_mutex_released", MUTEX_RELEASED, mutex_released,
                $crate::ompt::ompt_callback_mutex_t);
            (18, c"ompt_callback_dependences", DEPENDENCES, dependences,
                $crate::ompt::ompt_callback_dependences_t);
            (19, c"ompt_callback_task_dependence", TASK_DEPENDENCE, task_dependence,
                $crate::ompt::ompt_callback_task_dependence_t);
            (20, c"ompt_callback_work", WORK, work,
                $crate::ompt::ompt_callback_work_t);
            (21, c"ompt_callback_masked", MASKED, masked,
                $crate::ompt::ompt_callback_masked_t);
            (22, c"ompt_callback_target_map", TARGET_MAP, target_map,
                $crate::ompt::ompt_callback_target_map_t);
            (23, c"ompt_callback_sync_region", SYNC_REGION, sync_region,
                $crate::ompt::ompt_callback_sync_region_t);
            (24, c"ompt_callback_lock_init", LOCK_INIT, lock_init,
                $crate::ompt::ompt_callback_mutex_acquire_t);
            (25, c"ompt_callback_lock_destroy", LOCK_DESTROY, lock_destroy,
                $crate::ompt::ompt_callback_mutex_t);
            (26, c"ompt_callback_mutex_acquire", MUTEX_ACQUIRE, mutex_acquire,
                $crate::ompt::ompt_callback_mutex_acquire_t);
            (27, c"ompt_callback_mutex_acquired", MUTEX_ACQUIRED, mutex_acquired,
                $crate::ompt::ompt_callback_mutex_t);
            (28, c"ompt_callback_nest_lock", NEST_LOCK, nest_lock,
                $crate::ompt::ompt_callback_nest_lock_t);
            (29, c"ompt_callback_flush", FLUSH, flush,
                $crate::ompt::ompt_callback_flush_t);
            (30, c"ompt_callback_cancel", CANCEL, cancel,
                $crate::ompt::ompt_callback_cancel_t);
            (31, c"ompt_callback_reduction", REDUCTION, reduction,
                $crate::ompt::ompt_callback_sync_region_t);
            (32, c"ompt_callback_dispatch", DISPATCH, dispatch,
                $crate::ompt::ompt_callback_dispatch_t);
            (33, c"ompt_callback_target_emi", TARGET_EMI, target_emi,
                $crate::ompt::ompt_callback_target_emi_t);
            (34, c"ompt_callback_target_data_op_emi", TARGET_DATA_OP_EMI, target_data_op_emi,
                $crate::ompt::ompt_callback_target_data_op_emi_t);
            (35, c"ompt_callback_target_submit_emi", TARGET_SUBMIT_EMI, target_submit_emi,
                $crate::ompt::ompt_callback_target_submit_emi_t);
            (36, c"ompt_callback_target_map_emi", TARGET_MAP_EMI, target_map_emi,
                $crate::ompt::ompt_callback_target_map_emi_t);
            (37, c"ompt_callback_error", ERROR, error,
                $crate::ompt::ompt_callback_error_t);
        }
    };
}

macro_rules! define_callbacks {
    ($(($code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty);)*) => {
        c_enum! {
            /// The number of an event, as `ompt_set_callback` takes it.
            pub struct ompt_callbacks_t(c_int);
            $($constant = $code => $c_name,)*
        }
        $(const _: () = assert!(size_of::<Option<$callback>>() == 8);)*
    };
}

for_each_event!(define_callbacks);

const _: () = {
    let names = ompt_callbacks_t::NAMES;
    let mut at = 0;
    while at < names.len() {
        assert!(names[at].0.0 as usize == at + 1, "event numbers run from 1 without a gap");
        at += 1;
    }
};
