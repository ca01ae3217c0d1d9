//! The one table of events and of their callbacks (OpenMP 5.0 §4.4.4.2 and §4.5.2, 5.1, 6.0 §33.6
//! and chapters 34 and 35).
//!
//! Whatever names each event, or the arguments of a callback, is made from here: the types of
//! functions, the runtime's mask and typed callbacks, the answers of `ompt_set_callback`, the SDK's
//! names, sets and callbacks, the callbacks of the multiplexer and of the probe, the program that
//! checks `include/omp-tools.h`, and the rows of CONFORMANCE.md (`cargo xtask matrix`). Two checks
//! compare the events that a row calls raised: with those that the constructs emit
//! (`ompt/tool/callbacks.rs` of `oxomp-core`, at compile time), and with those that the recorder's
//! tests demand (`cargo xtask matrix`).
//!
//! CONTRIBUTING.md, "An event", names the other files that a new row has.

/// Passes the table of all host and device events, by their callbacks, to a macro.
///
/// A callback is its type's name with its arguments, and the events that have it:
///
/// ```text
/// /// What happens.
/// type(role argument: type, …, => type of the answer, if there is one) {
///     (number, C name, CONSTANT, rust_name, facts);
///     …
/// }
/// ```
///
/// The role is what the argument is:
///
/// | role | argument |
/// |---|---|
/// | `word` | the tool's word of an object, null only where the event's description says so |
/// | `id` | the tool's word of a data operation or of a kernel's submission |
/// | `frame` | the frames of a task |
/// | `endpoint` | whether the event begins or ends what it is about |
/// | `kind` | an enumeration |
/// | `flags` | a set of flags |
/// | `code` | the program's return address of the call that implements the construct, or null |
/// | `number` | an integer |
/// | `plain` | anything else |
///
/// `facts` are `[side ends duty, clang: raised, gcc: raised]`, words that
/// [`EventRow`](crate::ompt::EventRow) explains. The numbers of events run from 1 to 37 without a
/// gap. `$mac` is called once, with `$before` and all callbacks, at a place where `c` is the module
/// `oxomp_sys::ompt`, and where the types of [`core::ffi`] are in scope.
///
/// A macro that uses the arguments once for each event takes them as `$arguments:tt`, and hands
/// them to a second macro.
#[macro_export]
macro_rules! for_each_callback {
    ($mac:path $(, $before:tt)?) => {
        $mac! {
            $($before)?
            /// A native thread begins to work for OpenMP.
            ompt_callback_thread_begin_t(
                kind thread_type: c::ompt_thread_t,
                word thread_data: *mut c::ompt_data_t,
            ) {
                (1, c"ompt_callback_thread_begin", THREAD_BEGIN, thread_begin,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A thread ends.
            ompt_callback_thread_end_t(word thread_data: *mut c::ompt_data_t) {
                (2, c"ompt_callback_thread_end", THREAD_END, thread_end,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A parallel or teams region begins; `requested_parallelism` is what the user asked
            /// for.
            ompt_callback_parallel_begin_t(
                word encountering_task_data: *mut c::ompt_data_t,
                frame encountering_task_frame: *const c::ompt_frame_t,
                word parallel_data: *mut c::ompt_data_t,
                number requested_parallelism: c_uint,
                flags flags: c::ompt_parallel_flag_t,
                code codeptr_ra: *const c_void,
            ) {
                (3, c"ompt_callback_parallel_begin", PARALLEL_BEGIN, parallel_begin,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A parallel or teams region ends.
            ompt_callback_parallel_end_t(
                word parallel_data: *mut c::ompt_data_t,
                word encountering_task_data: *mut c::ompt_data_t,
                flags flags: c::ompt_parallel_flag_t,
                code codeptr_ra: *const c_void,
            ) {
                (4, c"ompt_callback_parallel_end", PARALLEL_END, parallel_end,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A task is created.
            ompt_callback_task_create_t(
                word encountering_task_data: *mut c::ompt_data_t,
                frame encountering_task_frame: *const c::ompt_frame_t,
                word new_task_data: *mut c::ompt_data_t,
                flags flags: c::ompt_task_flag_t,
                number has_dependences: c_int,
                code codeptr_ra: *const c_void,
            ) {
                (5, c"ompt_callback_task_create", TASK_CREATE, task_create,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A thread switches tasks; `next_task_data` is null if the event does not switch to
            /// another task.
            ompt_callback_task_schedule_t(
                word prior_task_data: *mut c::ompt_data_t,
                kind prior_task_status: c::ompt_task_status_t,
                word next_task_data: *mut c::ompt_data_t,
            ) {
                (6, c"ompt_callback_task_schedule", TASK_SCHEDULE, task_schedule,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// An implicit or initial task begins or ends; at the end `parallel_data` is null and
            /// `actual_parallelism` 0.
            ompt_callback_implicit_task_t(
                endpoint endpoint: c::ompt_scope_endpoint_t,
                word parallel_data: *mut c::ompt_data_t,
                word task_data: *mut c::ompt_data_t,
                number actual_parallelism: c_uint,
                number index: c_uint,
                flags flags: c::ompt_task_flag_t,
            ) {
                (7, c"ompt_callback_implicit_task", IMPLICIT_TASK, implicit_task,
                    [Host Region Mandatory, clang: Always, gcc: Always]);
            }
            /// A target construct begins or ends; superseded by `ompt_callback_target_emi_t`.
            ompt_callback_target_t(
                kind kind: c::ompt_target_t,
                endpoint endpoint: c::ompt_scope_endpoint_t,
                number device_num: c_int,
                word task_data: *mut c::ompt_data_t,
                number target_id: c::ompt_id_t,
                code codeptr_ra: *const c_void,
            ) {
                (8, c"ompt_callback_target", TARGET, target,
                    [Device Region Mandatory, clang: Never, gcc: Always]);
            }
            /// A data operation; superseded by `ompt_callback_target_data_op_emi_t`.
            ompt_callback_target_data_op_t(
                number target_id: c::ompt_id_t,
                number host_op_id: c::ompt_id_t,
                kind optype: c::ompt_target_data_op_t,
                plain src_addr: *mut c_void,
                number src_device_num: c_int,
                plain dest_addr: *mut c_void,
                number dest_device_num: c_int,
                number bytes: usize,
                code codeptr_ra: *const c_void,
            ) {
                (9, c"ompt_callback_target_data_op", TARGET_DATA_OP, target_data_op,
                    [Device Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A kernel is submitted; superseded by `ompt_callback_target_submit_emi_t`.
            ompt_callback_target_submit_t(
                number target_id: c::ompt_id_t,
                number host_op_id: c::ompt_id_t,
                number requested_num_teams: c_uint,
            ) {
                (10, c"ompt_callback_target_submit", TARGET_SUBMIT, target_submit,
                    [Device Point Mandatory, clang: Never, gcc: Always]);
            }
            /// The program called `omp_control_tool`, which returns this result.
            ompt_callback_control_tool_t(
                number command: u64,
                number modifier: u64,
                plain arg: *mut c_void,
                code codeptr_ra: *const c_void,
                => c_int
            ) {
                (11, c"ompt_callback_control_tool", CONTROL_TOOL, control_tool,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
            /// A device is ready; `lookup` is null if it has no tracing interface.
            ompt_callback_device_initialize_t(
                number device_num: c_int,
                plain device_type: *const c_char,
                plain device: *mut c::ompt_device_t,
                plain lookup: Option<c::ompt_function_lookup_t>,
                plain documentation: *const c_char,
            ) {
                (12, c"ompt_callback_device_initialize", DEVICE_INITIALIZE, device_initialize,
                    [Device Point Mandatory, clang: Never, gcc: Never]);
            }
            /// A device is about to be finalized.
            ompt_callback_device_finalize_t(number device_num: c_int) {
                (13, c"ompt_callback_device_finalize", DEVICE_FINALIZE, device_finalize,
                    [Device Point Mandatory, clang: Never, gcc: Never]);
            }
            /// Code was loaded on a device.
            ompt_callback_device_load_t(
                number device_num: c_int,
                plain filename: *const c_char,
                number offset_in_file: i64,
                plain vma_in_file: *mut c_void,
                number bytes: usize,
                plain host_addr: *mut c_void,
                plain device_addr: *mut c_void,
                number module_id: u64,
            ) {
                (14, c"ompt_callback_device_load", DEVICE_LOAD, device_load,
                    [Device Point Mandatory, clang: Never, gcc: Never]);
            }
            /// Code is about to be unloaded from a device.
            ompt_callback_device_unload_t(number device_num: c_int, number module_id: u64) {
                (15, c"ompt_callback_device_unload", DEVICE_UNLOAD, device_unload,
                    [Device Point Mandatory, clang: Never, gcc: Never]);
            }
            /// A synchronization region, waiting in it, or a reduction begins or ends;
            /// `parallel_data` is null at the end of a parallel region's barrier.
            ompt_callback_sync_region_t(
                kind kind: c::ompt_sync_region_t,
                endpoint endpoint: c::ompt_scope_endpoint_t,
                word parallel_data: *mut c::ompt_data_t,
                word task_data: *mut c::ompt_data_t,
                code codeptr_ra: *const c_void,
            ) {
                (16, c"ompt_callback_sync_region_wait", SYNC_REGION_WAIT, sync_region_wait,
                    [Host Region Optional, clang: Always, gcc: Always]);
                (23, c"ompt_callback_sync_region", SYNC_REGION, sync_region,
                    [Host Region Optional, clang: Always, gcc: Always]);
                (31, c"ompt_callback_reduction", REDUCTION, reduction,
                    [Host Region Optional, clang: Sometimes, gcc: Never]);
            }
            /// A lock is destroyed, or a mutex was acquired or released.
            ompt_callback_mutex_t(
                kind kind: c::ompt_mutex_t,
                number wait_id: c::ompt_wait_id_t,
                code codeptr_ra: *const c_void,
            ) {
                (17, c"ompt_callback_mutex_released", MUTEX_RELEASED, mutex_released,
                    [Host Point Optional, clang: Always, gcc: Always]);
                (25, c"ompt_callback_lock_destroy", LOCK_DESTROY, lock_destroy,
                    [Host Point Optional, clang: Always, gcc: Always]);
                (27, c"ompt_callback_mutex_acquired", MUTEX_ACQUIRED, mutex_acquired,
                    [Host Point Optional, clang: Always, gcc: Always]);
            }
            /// A task has these dependences; `deps` is valid during the call only.
            ompt_callback_dependences_t(
                word task_data: *mut c::ompt_data_t,
                plain deps: *const c::ompt_dependence_t,
                number ndeps: c_int,
            ) {
                (18, c"ompt_callback_dependences", DEPENDENCES, dependences,
                    [Host Point Optional, clang: Always, gcc: Always]);
            }
            /// An unfulfilled dependence between two tasks was seen.
            ompt_callback_task_dependence_t(
                word src_task_data: *mut c::ompt_data_t,
                word sink_task_data: *mut c::ompt_data_t,
            ) {
                (19, c"ompt_callback_task_dependence", TASK_DEPENDENCE, task_dependence,
                    [Host Point Optional, clang: Always, gcc: Always]);
            }
            /// A worksharing, distribute or taskloop region begins or ends.
            ompt_callback_work_t(
                kind work_type: c::ompt_work_t,
                endpoint endpoint: c::ompt_scope_endpoint_t,
                word parallel_data: *mut c::ompt_data_t,
                word task_data: *mut c::ompt_data_t,
                number count: u64,
                code codeptr_ra: *const c_void,
            ) {
                (20, c"ompt_callback_work", WORK, work,
                    [Host Region Optional, clang: Sometimes, gcc: Sometimes]);
            }
            /// A masked region begins or ends.
            ompt_callback_masked_t(
                endpoint endpoint: c::ompt_scope_endpoint_t,
                word parallel_data: *mut c::ompt_data_t,
                word task_data: *mut c::ompt_data_t,
                code codeptr_ra: *const c_void,
            ) {
                (21, c"ompt_callback_masked", MASKED, masked,
                    [Host Region Optional, clang: Always, gcc: Never]);
            }
            /// Variables are mapped; superseded by `ompt_callback_target_map_emi_t`.
            ompt_callback_target_map_t(
                number target_id: c::ompt_id_t,
                number nitems: c_uint,
                plain host_addr: *mut *mut c_void,
                plain device_addr: *mut *mut c_void,
                plain bytes: *mut usize,
                plain mapping_flags: *mut c_uint,
                code codeptr_ra: *const c_void,
            ) {
                (22, c"ompt_callback_target_map", TARGET_MAP, target_map,
                    [Device Point Optional, clang: Never, gcc: Never]);
            }
            /// A lock is initialized, or a mutex is about to be acquired. `hint` is the user's, 0
            /// if unknown.
            ompt_callback_mutex_acquire_t(
                kind kind: c::ompt_mutex_t,
                number hint: c_uint,
                number implementation: c_uint,
                number wait_id: c::ompt_wait_id_t,
                code codeptr_ra: *const c_void,
            ) {
                (24, c"ompt_callback_lock_init", LOCK_INIT, lock_init,
                    [Host Point Optional, clang: Always, gcc: Always]);
                (26, c"ompt_callback_mutex_acquire", MUTEX_ACQUIRE, mutex_acquire,
                    [Host Point Optional, clang: Always, gcc: Always]);
            }
            /// The owner of a nest lock acquired it once more, or released it but not for good.
            ompt_callback_nest_lock_t(
                endpoint endpoint: c::ompt_scope_endpoint_t,
                number wait_id: c::ompt_wait_id_t,
                code codeptr_ra: *const c_void,
            ) {
                (28, c"ompt_callback_nest_lock", NEST_LOCK, nest_lock,
                    [Host Region Optional, clang: Always, gcc: Always]);
            }
            /// A flush construct was met.
            ompt_callback_flush_t(
                word thread_data: *mut c::ompt_data_t,
                code codeptr_ra: *const c_void,
            ) {
                (29, c"ompt_callback_flush", FLUSH, flush,
                    [Host Point Optional, clang: Always, gcc: Never]);
            }
            /// Cancellation was activated or detected, or a task was discarded.
            ompt_callback_cancel_t(
                word task_data: *mut c::ompt_data_t,
                flags flags: c::ompt_cancel_flag_t,
                code codeptr_ra: *const c_void,
            ) {
                (30, c"ompt_callback_cancel", CANCEL, cancel,
                    [Host Point Optional, clang: Always, gcc: Always]);
            }
            /// A chunk, an iteration or a section is about to run.
            ompt_callback_dispatch_t(
                word parallel_data: *mut c::ompt_data_t,
                word task_data: *mut c::ompt_data_t,
                kind kind: c::ompt_dispatch_t,
                plain instance: c::ompt_data_t,
            ) {
                (32, c"ompt_callback_dispatch", DISPATCH, dispatch,
                    [Host Point Optional, clang: Sometimes, gcc: Sometimes]);
            }
            /// A target construct begins or ends (5.1).
            ompt_callback_target_emi_t(
                kind kind: c::ompt_target_t,
                endpoint endpoint: c::ompt_scope_endpoint_t,
                number device_num: c_int,
                word task_data: *mut c::ompt_data_t,
                word target_task_data: *mut c::ompt_data_t,
                word target_data: *mut c::ompt_data_t,
                code codeptr_ra: *const c_void,
            ) {
                (33, c"ompt_callback_target_emi", TARGET_EMI, target_emi,
                    [Device Region Mandatory, clang: Never, gcc: Always]);
            }
            /// A data operation begins or ends (5.1); the tool may store an id in `host_op_id` at
            /// the begin.
            ompt_callback_target_data_op_emi_t(
                endpoint endpoint: c::ompt_scope_endpoint_t,
                word target_task_data: *mut c::ompt_data_t,
                word target_data: *mut c::ompt_data_t,
                id host_op_id: *mut c::ompt_id_t,
                kind optype: c::ompt_target_data_op_t,
                plain src_addr: *mut c_void,
                number src_device_num: c_int,
                plain dest_addr: *mut c_void,
                number dest_device_num: c_int,
                number bytes: usize,
                code codeptr_ra: *const c_void,
            ) {
                (34, c"ompt_callback_target_data_op_emi", TARGET_DATA_OP_EMI, target_data_op_emi,
                    [Device Region Mandatory, clang: Always, gcc: Always]);
            }
            /// The submission of a kernel begins or ends (5.1).
            ompt_callback_target_submit_emi_t(
                endpoint endpoint: c::ompt_scope_endpoint_t,
                word target_data: *mut c::ompt_data_t,
                id host_op_id: *mut c::ompt_id_t,
                number requested_num_teams: c_uint,
            ) {
                (35, c"ompt_callback_target_submit_emi", TARGET_SUBMIT_EMI, target_submit_emi,
                    [Device Region Mandatory, clang: Never, gcc: Always]);
            }
            /// Variables are mapped (5.1).
            ompt_callback_target_map_emi_t(
                word target_data: *mut c::ompt_data_t,
                number nitems: c_uint,
                plain host_addr: *mut *mut c_void,
                plain device_addr: *mut *mut c_void,
                plain bytes: *mut usize,
                plain mapping_flags: *mut c_uint,
                code codeptr_ra: *const c_void,
            ) {
                (36, c"ompt_callback_target_map_emi", TARGET_MAP_EMI, target_map_emi,
                    [Device Point Optional, clang: Never, gcc: Never]);
            }
            /// An error directive is executed (5.1); `length` is that of `message`.
            ompt_callback_error_t(
                kind severity: c::ompt_severity_t,
                plain message: *const c_char,
                number length: usize,
                code codeptr_ra: *const c_void,
            ) {
                (37, c"ompt_callback_error", ERROR, error,
                    [Host Point Mandatory, clang: Always, gcc: Always]);
            }
        }
    };
}

/// Passes the table of all host and device events to a macro.
///
/// A row is `(number, C name, CONSTANT, rust_name, callback type, facts);`, as
/// [`for_each_callback!`](crate::for_each_callback) explains it. `$mac` is called once, with all
/// rows. Events with the same callback follow each other, so the numbers are not in order.
///
/// ```ignore
/// macro_rules! numbers {
///     ($((
///         $code:literal, $c:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
///     );)*) => {
///         [$($code),*]
///     };
/// }
/// let numbers = oxomp_sys::for_each_event!(numbers);
/// ```
#[macro_export]
macro_rules! for_each_event {
    ($mac:path) => {
        $crate::for_each_callback! { $crate::rows_of_callbacks, ($mac) }
    };
}

/// Passes the rows of the table, without the callbacks' arguments, to the macro in parentheses.
#[doc(hidden)]
#[macro_export]
macro_rules! rows_of_callbacks {
    (($mac:path) $(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        $mac! {
            $($(($code, $c_name, $constant, $name, $crate::ompt::$callback, $facts);)*)*
        }
    };
}
