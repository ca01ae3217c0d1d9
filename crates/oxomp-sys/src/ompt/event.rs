//! The one table of events (OpenMP 5.0 §4.4.4.2, 5.1, 6.0 §33.6), and their numbers.
//!
//! The runtime takes its mask, its typed callbacks and the answers of `ompt_set_callback` from
//! here, the SDK its names and sets, and `cargo xtask matrix` the rows of CONFORMANCE.md. Two
//! checks compare the events that a row calls raised: with those that the constructs emit
//! (`ompt/tool/callbacks.rs` of `oxomp-core`, at compile time), and with those that the recorder's
//! tests demand (`cargo xtask matrix`).
//!
//! An event that a construct begins to raise touches six files, and CONFORMANCE.md, which `cargo
//! xtask matrix` writes: its row here, its line in `ompt/event/emit.rs` of `oxomp-core`, its arm in
//! `ompt/tool/encoder_5x.rs` there, and in `ompt/tool/report_2015/encoder.rs` (among the events
//! without a counterpart, or with the callback of the 2015 report), the construct that emits it,
//! and a test under `tests/c/trace`.

use core::ffi::c_int;
use core::mem::size_of;

use super::event_column::{Duty, Ends, Raised, Side};
use super::ompt_set_result_t;

/// Passes the table of all host and device events to a macro.
///
/// A row is `(number, C name, CONSTANT, rust_name, callback type, facts);`, where `facts` are
/// `[side ends duty, clang: raised, gcc: raised]`, words that [`EventRow`] explains. `$mac` is
/// called once, with all rows; the rows are in the order of their numbers, which run from 1 to 37
/// without a gap.
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
        $mac! {
            (1, c"ompt_callback_thread_begin", THREAD_BEGIN, thread_begin,
                $crate::ompt::ompt_callback_thread_begin_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (2, c"ompt_callback_thread_end", THREAD_END, thread_end,
                $crate::ompt::ompt_callback_thread_end_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (3, c"ompt_callback_parallel_begin", PARALLEL_BEGIN, parallel_begin,
                $crate::ompt::ompt_callback_parallel_begin_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (4, c"ompt_callback_parallel_end", PARALLEL_END, parallel_end,
                $crate::ompt::ompt_callback_parallel_end_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (5, c"ompt_callback_task_create", TASK_CREATE, task_create,
                $crate::ompt::ompt_callback_task_create_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (6, c"ompt_callback_task_schedule", TASK_SCHEDULE, task_schedule,
                $crate::ompt::ompt_callback_task_schedule_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (7, c"ompt_callback_implicit_task", IMPLICIT_TASK, implicit_task,
                $crate::ompt::ompt_callback_implicit_task_t,
                [Host Region Mandatory, clang: Always, gcc: Always]);
            (8, c"ompt_callback_target", TARGET, target,
                $crate::ompt::ompt_callback_target_t,
                [Device Region Mandatory, clang: Never, gcc: Always]);
            (9, c"ompt_callback_target_data_op", TARGET_DATA_OP, target_data_op,
                $crate::ompt::ompt_callback_target_data_op_t,
                [Device Point Mandatory, clang: Always, gcc: Always]);
            (10, c"ompt_callback_target_submit", TARGET_SUBMIT, target_submit,
                $crate::ompt::ompt_callback_target_submit_t,
                [Device Point Mandatory, clang: Never, gcc: Always]);
            (11, c"ompt_callback_control_tool", CONTROL_TOOL, control_tool,
                $crate::ompt::ompt_callback_control_tool_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
            (12, c"ompt_callback_device_initialize", DEVICE_INITIALIZE, device_initialize,
                $crate::ompt::ompt_callback_device_initialize_t,
                [Device Point Mandatory, clang: Never, gcc: Never]);
            (13, c"ompt_callback_device_finalize", DEVICE_FINALIZE, device_finalize,
                $crate::ompt::ompt_callback_device_finalize_t,
                [Device Point Mandatory, clang: Never, gcc: Never]);
            (14, c"ompt_callback_device_load", DEVICE_LOAD, device_load,
                $crate::ompt::ompt_callback_device_load_t,
                [Device Point Mandatory, clang: Never, gcc: Never]);
            (15, c"ompt_callback_device_unload", DEVICE_UNLOAD, device_unload,
                $crate::ompt::ompt_callback_device_unload_t,
                [Device Point Mandatory, clang: Never, gcc: Never]);
            (16, c"ompt_callback_sync_region_wait", SYNC_REGION_WAIT, sync_region_wait,
                $crate::ompt::ompt_callback_sync_region_t,
                [Host Region Optional, clang: Always, gcc: Always]);
            (17, c"ompt_callback_mutex_released", MUTEX_RELEASED, mutex_released,
                $crate::ompt::ompt_callback_mutex_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (18, c"ompt_callback_dependences", DEPENDENCES, dependences,
                $crate::ompt::ompt_callback_dependences_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (19, c"ompt_callback_task_dependence", TASK_DEPENDENCE, task_dependence,
                $crate::ompt::ompt_callback_task_dependence_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (20, c"ompt_callback_work", WORK, work,
                $crate::ompt::ompt_callback_work_t,
                [Host Region Optional, clang: Sometimes, gcc: Sometimes]);
            (21, c"ompt_callback_masked", MASKED, masked,
                $crate::ompt::ompt_callback_masked_t,
                [Host Region Optional, clang: Always, gcc: Never]);
            (22, c"ompt_callback_target_map", TARGET_MAP, target_map,
                $crate::ompt::ompt_callback_target_map_t,
                [Device Point Optional, clang: Never, gcc: Never]);
            (23, c"ompt_callback_sync_region", SYNC_REGION, sync_region,
                $crate::ompt::ompt_callback_sync_region_t,
                [Host Region Optional, clang: Always, gcc: Always]);
            (24, c"ompt_callback_lock_init", LOCK_INIT, lock_init,
                $crate::ompt::ompt_callback_mutex_acquire_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (25, c"ompt_callback_lock_destroy", LOCK_DESTROY, lock_destroy,
                $crate::ompt::ompt_callback_mutex_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (26, c"ompt_callback_mutex_acquire", MUTEX_ACQUIRE, mutex_acquire,
                $crate::ompt::ompt_callback_mutex_acquire_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (27, c"ompt_callback_mutex_acquired", MUTEX_ACQUIRED, mutex_acquired,
                $crate::ompt::ompt_callback_mutex_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (28, c"ompt_callback_nest_lock", NEST_LOCK, nest_lock,
                $crate::ompt::ompt_callback_nest_lock_t,
                [Host Region Optional, clang: Always, gcc: Always]);
            (29, c"ompt_callback_flush", FLUSH, flush,
                $crate::ompt::ompt_callback_flush_t,
                [Host Point Optional, clang: Always, gcc: Never]);
            (30, c"ompt_callback_cancel", CANCEL, cancel,
                $crate::ompt::ompt_callback_cancel_t,
                [Host Point Optional, clang: Always, gcc: Always]);
            (31, c"ompt_callback_reduction", REDUCTION, reduction,
                $crate::ompt::ompt_callback_sync_region_t,
                [Host Region Optional, clang: Sometimes, gcc: Never]);
            (32, c"ompt_callback_dispatch", DISPATCH, dispatch,
                $crate::ompt::ompt_callback_dispatch_t,
                [Host Point Optional, clang: Sometimes, gcc: Sometimes]);
            (33, c"ompt_callback_target_emi", TARGET_EMI, target_emi,
                $crate::ompt::ompt_callback_target_emi_t,
                [Device Region Mandatory, clang: Never, gcc: Always]);
            (34, c"ompt_callback_target_data_op_emi", TARGET_DATA_OP_EMI, target_data_op_emi,
                $crate::ompt::ompt_callback_target_data_op_emi_t,
                [Device Region Mandatory, clang: Always, gcc: Always]);
            (35, c"ompt_callback_target_submit_emi", TARGET_SUBMIT_EMI, target_submit_emi,
                $crate::ompt::ompt_callback_target_submit_emi_t,
                [Device Region Mandatory, clang: Never, gcc: Always]);
            (36, c"ompt_callback_target_map_emi", TARGET_MAP_EMI, target_map_emi,
                $crate::ompt::ompt_callback_target_map_emi_t,
                [Device Point Optional, clang: Never, gcc: Never]);
            (37, c"ompt_callback_error", ERROR, error,
                $crate::ompt::ompt_callback_error_t,
                [Host Point Mandatory, clang: Always, gcc: Always]);
        }
    };
}

/// One row of the table of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// The event's number.
    pub event: ompt_callbacks_t,
    /// The event's name: C's without `ompt_callback_`.
    pub name: &'static str,
    /// Where the event happens.
    pub side: Side,
    /// The meaning of one call of its callback.
    pub ends: Ends,
    /// The answer that the specification or existing tools demand.
    pub duty: Duty,
    /// The occurrences for which oxomp raises it in programs of clang and flang.
    pub clang: Raised,
    /// The occurrences for which oxomp raises it in programs of gcc and gfortran.
    pub gcc: Raised,
}

impl EventRow {
    /// The row of `event`; `None` if no event has this number.
    pub const fn of(event: ompt_callbacks_t) -> Option<&'static Self> {
        if event.0 < 1 || event.0 as usize > Self::ALL.len() {
            return None;
        }
        Some(&Self::ALL[event.0 as usize - 1])
    }

    /// Whether oxomp raises the event at all.
    pub const fn is_raised(&self) -> bool {
        !matches!((self.clang, self.gcc), (Raised::Never, Raised::Never))
    }

    /// The answer of oxomp's `ompt_set_callback`.
    ///
    /// The runtime does not know which compiler made the calls to come, so the answer holds for
    /// both families.
    pub const fn answer(&self) -> ompt_set_result_t {
        match (self.duty, self.clang, self.gcc, self.ends) {
            (Duty::Mandatory, ..) => ompt_set_result_t::ALWAYS,
            (_, Raised::Always, Raised::Always, _) => ompt_set_result_t::ALWAYS,
            (_, Raised::Never, Raised::Never, _) => ompt_set_result_t::NEVER,
            (.., Ends::Region) => ompt_set_result_t::SOMETIMES_PAIRED,
            (.., Ends::Point) => ompt_set_result_t::SOMETIMES,
        }
    }
}

macro_rules! define_callbacks {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty,
        [$side:ident $ends:ident $duty:ident, clang: $clang:ident, gcc: $gcc:ident]
    );)*) => {
        c_enum! {
            /// The number of an event, as `ompt_set_callback` takes it.
            pub struct ompt_callbacks_t(c_int);
            $($constant = $code => $c_name,)*
        }

        $(const _: () = assert!(size_of::<Option<$callback>>() == 8);)*

        impl EventRow {
            /// The table: the row of the event with number n is the n-th, counted from 1.
            pub const ALL: &'static [Self] = &[$(
                Self {
                    event: ompt_callbacks_t::$constant,
                    name: stringify!($name),
                    side: Side::$side,
                    ends: Ends::$ends,
                    duty: Duty::$duty,
                    clang: Raised::$clang,
                    gcc: Raised::$gcc,
                },
            )*];
        }
    };
}

for_each_event!(define_callbacks);

const _: () = {
    let rows = EventRow::ALL;
    let mut at = 0;
    while at < rows.len() {
        assert!(rows[at].event.0 as usize == at + 1, "event numbers run from 1 without a gap");
        at += 1;
    }
};

/// A mandatory event may not be raised for some occurrences only. Code of clang's and flang's that
/// offloads calls libomptarget, which raises the events of devices itself.
const _: () = {
    let mut at = 0;
    while at < EventRow::ALL.len() {
        let row = &EventRow::ALL[at];
        let whole = matches!(
            (row.side, row.clang, row.gcc),
            (Side::Device, Raised::Never, Raised::Always)
                | (_, Raised::Always, Raised::Always)
                | (_, Raised::Never, Raised::Never)
        );
        assert!(
            whole || !matches!(row.duty, Duty::Mandatory),
            "a mandatory event is raised always"
        );
        at += 1;
    }
};
