//! The one table of the report's events (§3, App. A.2), and their numbers.
//!
//! The runtime takes its mask, its typed callbacks and the answers of `ompt_set_callback` from
//! here, and the SDK its names and sets.

use core::ffi::c_int;
use core::mem::size_of;

use super::event_column::{Class, SetResult};

/// Passes the table of the 69 events of the 2015 report to a macro.
///
/// A row is `(number, C name, CONSTANT, rust_name, callback type, facts);`, where `facts` are
/// `[class answer]`, a variant of [`Class`] and a constant of [`SetResult`]. `$mac` is called once,
/// where items stand, with all rows; the rows are in the order of their numbers, which run from 1
/// to 70 without 64.
///
/// [`Class`]: crate::report_2015::Class
/// [`SetResult`]: crate::report_2015::SetResult
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
        $mac! {
            (1, c"ompt_event_parallel_begin", PARALLEL_BEGIN, parallel_begin,
                $crate::report_2015::ompt_parallel_begin_callback_t, [Mandatory ALWAYS]);
            (2, c"ompt_event_parallel_end", PARALLEL_END, parallel_end,
                $crate::report_2015::ompt_parallel_end_callback_t, [Mandatory ALWAYS]);
            (3, c"ompt_event_task_begin", TASK_BEGIN, task_begin,
                $crate::report_2015::ompt_task_begin_callback_t, [Mandatory ALWAYS]);
            (4, c"ompt_event_task_end", TASK_END, task_end,
                $crate::report_2015::ompt_task_callback_t, [Mandatory ALWAYS]);
            (5, c"ompt_event_thread_begin", THREAD_BEGIN, thread_begin,
                $crate::report_2015::ompt_thread_type_callback_t, [Mandatory ALWAYS]);
            (6, c"ompt_event_thread_end", THREAD_END, thread_end,
                $crate::report_2015::ompt_thread_type_callback_t, [Mandatory ALWAYS]);
            (7, c"ompt_event_control", CONTROL, control,
                $crate::report_2015::ompt_control_callback_t, [Mandatory ALWAYS]);
            (8, c"ompt_event_runtime_shutdown", RUNTIME_SHUTDOWN, runtime_shutdown,
                $crate::report_2015::ompt_callback_t, [Mandatory ALWAYS]);
            (9, c"ompt_event_idle_begin", IDLE_BEGIN, idle_begin,
                $crate::report_2015::ompt_thread_callback_t, [BlameShifting ALWAYS]);
            (10, c"ompt_event_idle_end", IDLE_END, idle_end,
                $crate::report_2015::ompt_thread_callback_t, [BlameShifting ALWAYS]);
            (11, c"ompt_event_wait_barrier_begin", WAIT_BARRIER_BEGIN, wait_barrier_begin,
                $crate::report_2015::ompt_parallel_callback_t, [BlameShifting ALWAYS]);
            (12, c"ompt_event_wait_barrier_end", WAIT_BARRIER_END, wait_barrier_end,
                $crate::report_2015::ompt_parallel_callback_t, [BlameShifting ALWAYS]);
            (13, c"ompt_event_wait_taskwait_begin", WAIT_TASKWAIT_BEGIN, wait_taskwait_begin,
                $crate::report_2015::ompt_parallel_callback_t, [BlameShifting ALWAYS]);
            (14, c"ompt_event_wait_taskwait_end", WAIT_TASKWAIT_END, wait_taskwait_end,
                $crate::report_2015::ompt_parallel_callback_t, [BlameShifting ALWAYS]);
            (15, c"ompt_event_wait_taskgroup_begin", WAIT_TASKGROUP_BEGIN, wait_taskgroup_begin,
                $crate::report_2015::ompt_parallel_callback_t, [BlameShifting ALWAYS]);
            (16, c"ompt_event_wait_taskgroup_end", WAIT_TASKGROUP_END, wait_taskgroup_end,
                $crate::report_2015::ompt_parallel_callback_t, [BlameShifting ALWAYS]);
            (17, c"ompt_event_release_lock", RELEASE_LOCK, release_lock,
                $crate::report_2015::ompt_wait_callback_t, [BlameShifting ALWAYS]);
            (18, c"ompt_event_release_nest_lock_last", RELEASE_NEST_LOCK_LAST,
                release_nest_lock_last,
                $crate::report_2015::ompt_wait_callback_t, [BlameShifting ALWAYS]);
            (19, c"ompt_event_release_critical", RELEASE_CRITICAL, release_critical,
                $crate::report_2015::ompt_wait_callback_t, [BlameShifting ALWAYS]);
            (20, c"ompt_event_release_atomic", RELEASE_ATOMIC, release_atomic,
                $crate::report_2015::ompt_wait_callback_t, [BlameShifting CONVENIENT]);
            (21, c"ompt_event_release_ordered", RELEASE_ORDERED, release_ordered,
                $crate::report_2015::ompt_wait_callback_t, [BlameShifting ALWAYS]);
            (22, c"ompt_event_implicit_task_begin", IMPLICIT_TASK_BEGIN, implicit_task_begin,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (23, c"ompt_event_implicit_task_end", IMPLICIT_TASK_END, implicit_task_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (24, c"ompt_event_initial_task_begin", INITIAL_TASK_BEGIN, initial_task_begin,
                $crate::report_2015::ompt_task_callback_t, [Instrumentation ALWAYS]);
            (25, c"ompt_event_initial_task_end", INITIAL_TASK_END, initial_task_end,
                $crate::report_2015::ompt_task_callback_t, [Instrumentation ALWAYS]);
            (26, c"ompt_event_task_switch", TASK_SWITCH, task_switch,
                $crate::report_2015::ompt_task_pair_callback_t, [Instrumentation ALWAYS]);
            (27, c"ompt_event_loop_begin", LOOP_BEGIN, loop_begin,
                $crate::report_2015::ompt_workshare_begin_callback_t, [Instrumentation CONVENIENT]);
            (28, c"ompt_event_loop_end", LOOP_END, loop_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation CONVENIENT]);
            (29, c"ompt_event_sections_begin", SECTIONS_BEGIN, sections_begin,
                $crate::report_2015::ompt_workshare_begin_callback_t, [Instrumentation ALWAYS]);
            (30, c"ompt_event_sections_end", SECTIONS_END, sections_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (31, c"ompt_event_single_in_block_begin", SINGLE_IN_BLOCK_BEGIN, single_in_block_begin,
                $crate::report_2015::ompt_workshare_begin_callback_t, [Instrumentation ALWAYS]);
            (32, c"ompt_event_single_in_block_end", SINGLE_IN_BLOCK_END, single_in_block_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (33, c"ompt_event_single_others_begin", SINGLE_OTHERS_BEGIN, single_others_begin,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (34, c"ompt_event_single_others_end", SINGLE_OTHERS_END, single_others_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (35, c"ompt_event_workshare_begin", WORKSHARE_BEGIN, workshare_begin,
                $crate::report_2015::ompt_workshare_begin_callback_t, [Instrumentation NEVER]);
            (36, c"ompt_event_workshare_end", WORKSHARE_END, workshare_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation NEVER]);
            (37, c"ompt_event_master_begin", MASTER_BEGIN, master_begin,
                $crate::report_2015::ompt_sync_callback_t, [Instrumentation CONVENIENT]);
            (38, c"ompt_event_master_end", MASTER_END, master_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation CONVENIENT]);
            (39, c"ompt_event_barrier_begin", BARRIER_BEGIN, barrier_begin,
                $crate::report_2015::ompt_sync_callback_t, [Instrumentation ALWAYS]);
            (40, c"ompt_event_barrier_end", BARRIER_END, barrier_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (41, c"ompt_event_taskwait_begin", TASKWAIT_BEGIN, taskwait_begin,
                $crate::report_2015::ompt_sync_callback_t, [Instrumentation ALWAYS]);
            (42, c"ompt_event_taskwait_end", TASKWAIT_END, taskwait_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (43, c"ompt_event_taskgroup_begin", TASKGROUP_BEGIN, taskgroup_begin,
                $crate::report_2015::ompt_sync_callback_t, [Instrumentation ALWAYS]);
            (44, c"ompt_event_taskgroup_end", TASKGROUP_END, taskgroup_end,
                $crate::report_2015::ompt_parallel_callback_t, [Instrumentation ALWAYS]);
            (45, c"ompt_event_release_nest_lock_prev", RELEASE_NEST_LOCK_PREV,
                release_nest_lock_prev,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (46, c"ompt_event_wait_lock", WAIT_LOCK, wait_lock,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (47, c"ompt_event_wait_nest_lock", WAIT_NEST_LOCK, wait_nest_lock,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (48, c"ompt_event_wait_critical", WAIT_CRITICAL, wait_critical,
                $crate::report_2015::ompt_lock_callback_t, [Instrumentation ALWAYS]);
            (49, c"ompt_event_wait_atomic", WAIT_ATOMIC, wait_atomic,
                $crate::report_2015::ompt_atomic_callback_t, [Instrumentation CONVENIENT]);
            (50, c"ompt_event_wait_ordered", WAIT_ORDERED, wait_ordered,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (51, c"ompt_event_acquired_lock", ACQUIRED_LOCK, acquired_lock,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (52, c"ompt_event_acquired_nest_lock_first", ACQUIRED_NEST_LOCK_FIRST,
                acquired_nest_lock_first,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (53, c"ompt_event_acquired_nest_lock_next", ACQUIRED_NEST_LOCK_NEXT,
                acquired_nest_lock_next,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (54, c"ompt_event_acquired_critical", ACQUIRED_CRITICAL, acquired_critical,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (55, c"ompt_event_acquired_atomic", ACQUIRED_ATOMIC, acquired_atomic,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation CONVENIENT]);
            (56, c"ompt_event_acquired_ordered", ACQUIRED_ORDERED, acquired_ordered,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (57, c"ompt_event_init_lock", INIT_LOCK, init_lock,
                $crate::report_2015::ompt_lock_callback_t, [Instrumentation ALWAYS]);
            (58, c"ompt_event_init_nest_lock", INIT_NEST_LOCK, init_nest_lock,
                $crate::report_2015::ompt_lock_callback_t, [Instrumentation ALWAYS]);
            (59, c"ompt_event_destroy_lock", DESTROY_LOCK, destroy_lock,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (60, c"ompt_event_destroy_nest_lock", DESTROY_NEST_LOCK, destroy_nest_lock,
                $crate::report_2015::ompt_wait_callback_t, [Instrumentation ALWAYS]);
            (61, c"ompt_event_flush", FLUSH, flush,
                $crate::report_2015::ompt_thread_callback_t, [Instrumentation CONVENIENT]);
            (62, c"ompt_event_target_task_begin", TARGET_TASK_BEGIN, target_task_begin,
                $crate::report_2015::ompt_target_task_begin_callback_t, [Mandatory ALWAYS]);
            (63, c"ompt_event_target_task_end", TARGET_TASK_END, target_task_end,
                $crate::report_2015::ompt_target_task_end_callback_t, [Mandatory ALWAYS]);
            (65, c"ompt_event_target_data_begin", TARGET_DATA_BEGIN, target_data_begin,
                $crate::report_2015::ompt_target_data_begin_callback_t, [Instrumentation ALWAYS]);
            (66, c"ompt_event_target_data_end", TARGET_DATA_END, target_data_end,
                $crate::report_2015::ompt_task_callback_t, [Instrumentation ALWAYS]);
            (67, c"ompt_event_target_data_map_begin", TARGET_DATA_MAP_BEGIN, target_data_map_begin,
                $crate::report_2015::ompt_target_data_map_begin_callback_t,
                [Instrumentation NEVER]);
            (68, c"ompt_event_target_data_map_end", TARGET_DATA_MAP_END, target_data_map_end,
                $crate::report_2015::ompt_target_data_map_end_callback_t, [Instrumentation NEVER]);
            (69, c"ompt_event_task_dependences", TASK_DEPENDENCES, task_dependences,
                $crate::report_2015::ompt_task_dependences_callback_t, [Instrumentation ALWAYS]);
            (70, c"ompt_event_task_dependence_pair", TASK_DEPENDENCE_PAIR, task_dependence_pair,
                $crate::report_2015::ompt_task_pair_callback_t, [Instrumentation CONVENIENT]);
        }
    };
}

/// One row of the table of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// The event's number.
    pub event: ompt_event_t,
    /// The event's name: C's without `ompt_event_`.
    pub name: &'static str,
    /// The group of events to which the report counts it.
    pub class: Class,
    /// The answer of oxomp's `ompt_set_callback` to a tool's initializer.
    pub answer: SetResult,
}

impl EventRow {
    /// The row of `event`; `None` if no event has this number.
    pub const fn of(event: ompt_event_t) -> Option<&'static Self> {
        match event.0 {
            number @ 1..=63 => Some(&Self::ALL[number as usize - 1]),
            number @ 65..=70 => Some(&Self::ALL[number as usize - 2]),
            _ => None,
        }
    }
}

macro_rules! define_events {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty,
        [$class:ident $answer:ident]
    );)*) => {
        c_enum! {
            /// The number of an event, as `ompt_set_callback` takes it.
            pub struct ompt_event_t(c_int);
            $($constant = $code => $c_name,)*
        }

        $(const _: () = assert!(size_of::<Option<$callback>>() == 8);)*

        impl EventRow {
            /// The table, in the order of the events' numbers; no event has the number 64.
            pub const ALL: &'static [Self] = &[$(
                Self {
                    event: ompt_event_t::$constant,
                    name: stringify!($name),
                    class: Class::$class,
                    answer: SetResult::$answer,
                },
            )*];
        }
    };
}

for_each_event_2015!(define_events);

const _: () = {
    let rows = EventRow::ALL;
    assert!(rows.len() == 69);
    let mut at = 0;
    while at < rows.len() {
        let row = &rows[at];
        let gap = (row.event.0 > 64) as usize;
        assert!(row.event.0 as usize == at + 1 + gap, "numbers run from 1 to 70 without 64");
        assert!(
            !matches!(row.class, Class::Mandatory) || row.answer.0 == SetResult::ALWAYS.0,
            "a mandatory event is always reported"
        );
        at += 1;
    }
};
