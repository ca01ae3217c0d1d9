//! The one table of the report's events (§3, App. A.2) and of their callbacks (App. A.4).
//!
//! Whatever names each event, or the arguments of a callback, is made from here: the types of
//! functions, the runtime's mask and typed callbacks, the answers of `ompt_set_callback`, the SDK's
//! names, sets and callbacks, the callbacks of the multiplexer, and the program that checks
//! `include/ompt.h`.

/// Passes the table of the 69 events of the 2015 report, by their callbacks, to a macro.
///
/// A callback is its type's name with its arguments, and the events that have it:
///
/// ```text
/// /// What happens.
/// type(argument: type, …) {
///     (number, C name, CONSTANT, rust_name, facts);
///     …
/// }
/// ```
///
/// `codeptr_ra` is the return address, in the program, of the call that implements the construct;
/// `codeptr_ofn` is the address of the function that the compiler made of the construct's body.
/// `facts` are `[class answer]`, a variant of [`Class`] and a constant of [`SetResult`]. The
/// numbers of events run from 1 to 70 without 64. `$mac` is called once, with `$before` and all
/// callbacks, at a place where `c` is the module `oxomp_sys::report_2015`, and where the types of
/// [`core::ffi`] are in scope.
///
/// [`Class`]: crate::report_2015::Class
/// [`SetResult`]: crate::report_2015::SetResult
#[macro_export]
macro_rules! for_each_callback_2015 {
    ($mac:path $(, $before:tt)?) => {
        $mac! {
            $($before)?
            /// A parallel region begins; the program asked for `requested_team_size` threads.
            ompt_parallel_begin_callback_t(
                parent_task_id: c::ompt_task_id_t,
                parent_frame: *const c::ompt_frame_t,
                parallel_id: c::ompt_parallel_id_t,
                requested_team_size: u32,
                codeptr_ofn: *const c_void,
                invoker: c::ompt_invoker_t,
            ) {
                (1, c"ompt_event_parallel_begin", PARALLEL_BEGIN, parallel_begin,
                    [Mandatory ALWAYS]);
            }
            /// A parallel region ends; `task_id` is the task that encountered the construct.
            ompt_parallel_end_callback_t(
                parallel_id: c::ompt_parallel_id_t,
                task_id: c::ompt_task_id_t,
                invoker: c::ompt_invoker_t,
            ) {
                (2, c"ompt_event_parallel_end", PARALLEL_END, parallel_end, [Mandatory ALWAYS]);
            }
            /// A task construct creates a task.
            ompt_task_begin_callback_t(
                parent_task_id: c::ompt_task_id_t,
                parent_frame: *const c::ompt_frame_t,
                new_task_id: c::ompt_task_id_t,
                codeptr_ofn: *const c_void,
            ) {
                (3, c"ompt_event_task_begin", TASK_BEGIN, task_begin, [Mandatory ALWAYS]);
            }
            /// An event of a task.
            ompt_task_callback_t(task_id: c::ompt_task_id_t) {
                (4, c"ompt_event_task_end", TASK_END, task_end, [Mandatory ALWAYS]);
                (24, c"ompt_event_initial_task_begin", INITIAL_TASK_BEGIN, initial_task_begin,
                    [Instrumentation ALWAYS]);
                (25, c"ompt_event_initial_task_end", INITIAL_TASK_END, initial_task_end,
                    [Instrumentation ALWAYS]);
                (66, c"ompt_event_target_data_end", TARGET_DATA_END, target_data_end,
                    [Instrumentation ALWAYS]);
            }
            /// A thread begins or ends.
            ompt_thread_type_callback_t(
                thread_type: c::ompt_thread_type_t,
                thread_id: c::ompt_thread_id_t,
            ) {
                (5, c"ompt_event_thread_begin", THREAD_BEGIN, thread_begin, [Mandatory ALWAYS]);
                (6, c"ompt_event_thread_end", THREAD_END, thread_end, [Mandatory ALWAYS]);
            }
            /// The program called `ompt_control`.
            ompt_control_callback_t(command: u64, modifier: u64) {
                (7, c"ompt_event_control", CONTROL, control, [Mandatory ALWAYS]);
            }
            /// A callback of any signature, as `ompt_set_callback` takes it, and the signature of
            /// `ompt_event_runtime_shutdown`.
            ompt_callback_t() {
                (8, c"ompt_event_runtime_shutdown", RUNTIME_SHUTDOWN, runtime_shutdown,
                    [Mandatory ALWAYS]);
            }
            /// An event of the calling thread.
            ompt_thread_callback_t(thread_id: c::ompt_thread_id_t) {
                (9, c"ompt_event_idle_begin", IDLE_BEGIN, idle_begin, [BlameShifting ALWAYS]);
                (10, c"ompt_event_idle_end", IDLE_END, idle_end, [BlameShifting ALWAYS]);
                (61, c"ompt_event_flush", FLUSH, flush, [Instrumentation CONVENIENT]);
            }
            /// An event of a task in a parallel region.
            ompt_parallel_callback_t(
                parallel_id: c::ompt_parallel_id_t,
                task_id: c::ompt_task_id_t,
            ) {
                (11, c"ompt_event_wait_barrier_begin", WAIT_BARRIER_BEGIN, wait_barrier_begin,
                    [BlameShifting ALWAYS]);
                (12, c"ompt_event_wait_barrier_end", WAIT_BARRIER_END, wait_barrier_end,
                    [BlameShifting ALWAYS]);
                (13, c"ompt_event_wait_taskwait_begin", WAIT_TASKWAIT_BEGIN, wait_taskwait_begin,
                    [BlameShifting ALWAYS]);
                (14, c"ompt_event_wait_taskwait_end", WAIT_TASKWAIT_END, wait_taskwait_end,
                    [BlameShifting ALWAYS]);
                (15, c"ompt_event_wait_taskgroup_begin", WAIT_TASKGROUP_BEGIN, wait_taskgroup_begin,
                    [BlameShifting ALWAYS]);
                (16, c"ompt_event_wait_taskgroup_end", WAIT_TASKGROUP_END, wait_taskgroup_end,
                    [BlameShifting ALWAYS]);
                (22, c"ompt_event_implicit_task_begin", IMPLICIT_TASK_BEGIN, implicit_task_begin,
                    [Instrumentation ALWAYS]);
                (23, c"ompt_event_implicit_task_end", IMPLICIT_TASK_END, implicit_task_end,
                    [Instrumentation ALWAYS]);
                (28, c"ompt_event_loop_end", LOOP_END, loop_end, [Instrumentation CONVENIENT]);
                (30, c"ompt_event_sections_end", SECTIONS_END, sections_end,
                    [Instrumentation ALWAYS]);
                (32, c"ompt_event_single_in_block_end", SINGLE_IN_BLOCK_END, single_in_block_end,
                    [Instrumentation ALWAYS]);
                (33, c"ompt_event_single_others_begin", SINGLE_OTHERS_BEGIN, single_others_begin,
                    [Instrumentation ALWAYS]);
                (34, c"ompt_event_single_others_end", SINGLE_OTHERS_END, single_others_end,
                    [Instrumentation ALWAYS]);
                (36, c"ompt_event_workshare_end", WORKSHARE_END, workshare_end,
                    [Instrumentation NEVER]);
                (38, c"ompt_event_master_end", MASTER_END, master_end,
                    [Instrumentation CONVENIENT]);
                (40, c"ompt_event_barrier_end", BARRIER_END, barrier_end, [Instrumentation ALWAYS]);
                (42, c"ompt_event_taskwait_end", TASKWAIT_END, taskwait_end,
                    [Instrumentation ALWAYS]);
                (44, c"ompt_event_taskgroup_end", TASKGROUP_END, taskgroup_end,
                    [Instrumentation ALWAYS]);
            }
            /// A thread waits for a mutex, acquires or releases it, or destroys a lock.
            ompt_wait_callback_t(wait_id: c::ompt_wait_id_t) {
                (17, c"ompt_event_release_lock", RELEASE_LOCK, release_lock,
                    [BlameShifting ALWAYS]);
                (18, c"ompt_event_release_nest_lock_last", RELEASE_NEST_LOCK_LAST,
                    release_nest_lock_last, [BlameShifting ALWAYS]);
                (19, c"ompt_event_release_critical", RELEASE_CRITICAL, release_critical,
                    [BlameShifting ALWAYS]);
                (20, c"ompt_event_release_atomic", RELEASE_ATOMIC, release_atomic,
                    [BlameShifting CONVENIENT]);
                (21, c"ompt_event_release_ordered", RELEASE_ORDERED, release_ordered,
                    [BlameShifting ALWAYS]);
                (45, c"ompt_event_release_nest_lock_prev", RELEASE_NEST_LOCK_PREV,
                    release_nest_lock_prev, [Instrumentation ALWAYS]);
                (46, c"ompt_event_wait_lock", WAIT_LOCK, wait_lock, [Instrumentation ALWAYS]);
                (47, c"ompt_event_wait_nest_lock", WAIT_NEST_LOCK, wait_nest_lock,
                    [Instrumentation ALWAYS]);
                (50, c"ompt_event_wait_ordered", WAIT_ORDERED, wait_ordered,
                    [Instrumentation ALWAYS]);
                (51, c"ompt_event_acquired_lock", ACQUIRED_LOCK, acquired_lock,
                    [Instrumentation ALWAYS]);
                (52, c"ompt_event_acquired_nest_lock_first", ACQUIRED_NEST_LOCK_FIRST,
                    acquired_nest_lock_first, [Instrumentation ALWAYS]);
                (53, c"ompt_event_acquired_nest_lock_next", ACQUIRED_NEST_LOCK_NEXT,
                    acquired_nest_lock_next, [Instrumentation ALWAYS]);
                (54, c"ompt_event_acquired_critical", ACQUIRED_CRITICAL, acquired_critical,
                    [Instrumentation ALWAYS]);
                (55, c"ompt_event_acquired_atomic", ACQUIRED_ATOMIC, acquired_atomic,
                    [Instrumentation CONVENIENT]);
                (56, c"ompt_event_acquired_ordered", ACQUIRED_ORDERED, acquired_ordered,
                    [Instrumentation ALWAYS]);
                (59, c"ompt_event_destroy_lock", DESTROY_LOCK, destroy_lock,
                    [Instrumentation ALWAYS]);
                (60, c"ompt_event_destroy_nest_lock", DESTROY_NEST_LOCK, destroy_nest_lock,
                    [Instrumentation ALWAYS]);
            }
            /// An event of two tasks: a switch from the first to the second, or a dependence of the
            /// second on the first.
            ompt_task_pair_callback_t(
                first_task_id: c::ompt_task_id_t,
                second_task_id: c::ompt_task_id_t,
            ) {
                (26, c"ompt_event_task_switch", TASK_SWITCH, task_switch, [Instrumentation ALWAYS]);
                (70, c"ompt_event_task_dependence_pair", TASK_DEPENDENCE_PAIR, task_dependence_pair,
                    [Instrumentation CONVENIENT]);
            }
            /// A task begins a worksharing region.
            ompt_workshare_begin_callback_t(
                parallel_id: c::ompt_parallel_id_t,
                task_id: c::ompt_task_id_t,
                codeptr_ra: *const c_void,
            ) {
                (27, c"ompt_event_loop_begin", LOOP_BEGIN, loop_begin,
                    [Instrumentation CONVENIENT]);
                (29, c"ompt_event_sections_begin", SECTIONS_BEGIN, sections_begin,
                    [Instrumentation ALWAYS]);
                (31, c"ompt_event_single_in_block_begin", SINGLE_IN_BLOCK_BEGIN,
                    single_in_block_begin, [Instrumentation ALWAYS]);
                (35, c"ompt_event_workshare_begin", WORKSHARE_BEGIN, workshare_begin,
                    [Instrumentation NEVER]);
            }
            /// A task reaches a master, barrier, taskwait or taskgroup construct.
            ompt_sync_callback_t(
                parallel_id: c::ompt_parallel_id_t,
                task_id: c::ompt_task_id_t,
                codeptr_ra: *const c_void,
            ) {
                (37, c"ompt_event_master_begin", MASTER_BEGIN, master_begin,
                    [Instrumentation CONVENIENT]);
                (39, c"ompt_event_barrier_begin", BARRIER_BEGIN, barrier_begin,
                    [Instrumentation ALWAYS]);
                (41, c"ompt_event_taskwait_begin", TASKWAIT_BEGIN, taskwait_begin,
                    [Instrumentation ALWAYS]);
                (43, c"ompt_event_taskgroup_begin", TASKGROUP_BEGIN, taskgroup_begin,
                    [Instrumentation ALWAYS]);
            }
            /// A lock is initialized, or a thread waits for a critical construct.
            ompt_lock_callback_t(
                wait_id: c::ompt_wait_id_t,
                lock_hint: c::ompt_lock_hint_t,
                lock_type: c::ompt_lock_type_t,
            ) {
                (48, c"ompt_event_wait_critical", WAIT_CRITICAL, wait_critical,
                    [Instrumentation ALWAYS]);
                (57, c"ompt_event_init_lock", INIT_LOCK, init_lock, [Instrumentation ALWAYS]);
                (58, c"ompt_event_init_nest_lock", INIT_NEST_LOCK, init_nest_lock,
                    [Instrumentation ALWAYS]);
            }
            /// A thread waits for an atomic construct.
            ompt_atomic_callback_t(wait_id: c::ompt_wait_id_t, atomic_type: c::ompt_atomic_type_t) {
                (49, c"ompt_event_wait_atomic", WAIT_ATOMIC, wait_atomic,
                    [Instrumentation CONVENIENT]);
            }
            /// A target construct creates a target task.
            ompt_target_task_begin_callback_t(
                parent_task_id: c::ompt_task_id_t,
                parent_frame: *const c::ompt_frame_t,
                host_task_id: c::ompt_task_id_t,
                device_id: c_int,
                target_task_code: *const c_void,
                task_type: c::ompt_target_task_type_t,
            ) {
                (62, c"ompt_event_target_task_begin", TARGET_TASK_BEGIN, target_task_begin,
                    [Mandatory ALWAYS]);
            }
            /// A target task is complete, on the host and on the device.
            ompt_target_task_end_callback_t(host_task_id: c::ompt_task_id_t) {
                (63, c"ompt_event_target_task_end", TARGET_TASK_END, target_task_end,
                    [Mandatory ALWAYS]);
            }
            /// A task reaches a target data construct.
            ompt_target_data_begin_callback_t(
                task_id: c::ompt_task_id_t,
                device_id: c_int,
                codeptr_ra: *const c_void,
            ) {
                (65, c"ompt_event_target_data_begin", TARGET_DATA_BEGIN, target_data_begin,
                    [Instrumentation ALWAYS]);
            }
            /// The runtime maps `nitems` items; `items` is valid during the call only.
            ompt_target_data_map_begin_callback_t(
                task_id: c::ompt_task_id_t,
                device_id: c_int,
                items: *const c::ompt_target_map_entry_t,
                nitems: u32,
                map_id: c::ompt_target_activity_id_t,
            ) {
                (67, c"ompt_event_target_data_map_begin", TARGET_DATA_MAP_BEGIN,
                    target_data_map_begin, [Instrumentation NEVER]);
            }
            /// The runtime has begun all that a mapping demands.
            ompt_target_data_map_end_callback_t(
                device_id: c_int,
                map_id: c::ompt_target_activity_id_t,
            ) {
                (68, c"ompt_event_target_data_map_end", TARGET_DATA_MAP_END, target_data_map_end,
                    [Instrumentation NEVER]);
            }
            /// A new task has these dependences; `deps` is valid during the call only.
            ompt_task_dependences_callback_t(
                task_id: c::ompt_task_id_t,
                deps: *const c::ompt_task_dependence_t,
                ndeps: c_int,
            ) {
                (69, c"ompt_event_task_dependences", TASK_DEPENDENCES, task_dependences,
                    [Instrumentation ALWAYS]);
            }
        }
    };
}

/// Passes the table of the 69 events of the 2015 report to a macro.
///
/// A row is `(number, C name, CONSTANT, rust_name, callback type, facts);`, as
/// [`for_each_callback_2015!`](crate::for_each_callback_2015) explains it. `$mac` is called once,
/// where items stand, with all rows. Events with the same callback follow each other, so the
/// numbers are not in order.
///
/// ```
/// macro_rules! numbers {
///     ($((
///         $code:literal, $c:literal, $constant:ident, $name:ident, $callback:ty,
///         [$class:ident $answer:ident]
///     );)*) => {
///         const NUMBERS: &[i32] = &[$($code),*];
///     };
/// }
/// oxomp_sys::for_each_event_2015!(numbers);
/// assert_eq!(NUMBERS.len(), 69);
/// ```
#[macro_export]
macro_rules! for_each_event_2015 {
    ($mac:path) => {
        $crate::for_each_callback_2015! { $crate::rows_of_callbacks_2015, ($mac) }
    };
}

/// Passes the rows of the table, without the callbacks' arguments, to the macro in parentheses.
#[doc(hidden)]
#[macro_export]
macro_rules! rows_of_callbacks_2015 {
    (($mac:path) $(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        $mac! {
            $($(($code, $c_name, $constant, $name, $crate::report_2015::$callback, $facts);)*)*
        }
    };
}
