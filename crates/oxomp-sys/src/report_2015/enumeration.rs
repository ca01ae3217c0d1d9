//! Enumerations of the 2015 report (§2, App. A.1, A.3, A.6).

use core::ffi::c_int;
use core::mem::size_of;

c_enum! {
    /// A thread's state (§2). A runtime's own states lie above [`ompt_state_t::FIRST`].
    pub struct ompt_state_t(c_int);
    /// User code outside all parallel regions.
    WORK_SERIAL = 0x00 => c"ompt_state_work_serial",
    /// User code in a parallel region.
    WORK_PARALLEL = 0x01 => c"ompt_state_work_parallel",
    /// The thread combines partial results.
    WORK_REDUCTION = 0x02 => c"ompt_state_work_reduction",
    /// The thread waits for work outside a parallel region.
    IDLE = 0x10 => c"ompt_state_idle",
    /// Work of the runtime.
    OVERHEAD = 0x20 => c"ompt_state_overhead",
    /// Any barrier; the next two are more precise.
    WAIT_BARRIER = 0x40 => c"ompt_state_wait_barrier",
    WAIT_BARRIER_IMPLICIT = 0x41 => c"ompt_state_wait_barrier_implicit",
    WAIT_BARRIER_EXPLICIT = 0x42 => c"ompt_state_wait_barrier_explicit",
    WAIT_TASKWAIT = 0x50 => c"ompt_state_wait_taskwait",
    WAIT_TASKGROUP = 0x51 => c"ompt_state_wait_taskgroup",
    WAIT_LOCK = 0x60 => c"ompt_state_wait_lock",
    WAIT_NEST_LOCK = 0x61 => c"ompt_state_wait_nest_lock",
    WAIT_CRITICAL = 0x62 => c"ompt_state_wait_critical",
    WAIT_ATOMIC = 0x63 => c"ompt_state_wait_atomic",
    WAIT_ORDERED = 0x64 => c"ompt_state_wait_ordered",
    /// Any target construct; the next two are more precise.
    WAIT_TARGET = 0x70 => c"ompt_state_wait_target",
    /// Drafts of the report start an enumeration of states with this number.
    WAIT_TARGET_DATA = 0x71 => c"ompt_state_wait_target_data",
    WAIT_TARGET_UPDATE = 0x72 => c"ompt_state_wait_target_update",
    /// A thread that does not belong to OpenMP.
    UNDEFINED = 0x80 => c"ompt_state_undefined",
}

impl ompt_state_t {
    /// `ompt_state_first`: the argument of `ompt_enumerate_state` that asks for the first state. No
    /// thread is in this state, so [`ompt_state_t::NAMES`] lacks it.
    pub const FIRST: Self = Self(0x81);
}

c_enum! {
    /// The kind of a thread.
    pub struct ompt_thread_type_t(c_int);
    INITIAL = 1 => c"ompt_thread_initial",
    WORKER = 2 => c"ompt_thread_worker",
    OTHER = 3 => c"ompt_thread_other",
}

c_enum! {
    /// The kind of a task (§5.6).
    pub struct ompt_task_type_t(c_int);
    /// Outside all parallel regions.
    SERIAL = 1 => c"ompt_task_serial",
    IMPLICIT = 2 => c"ompt_task_implicit",
    EXPLICIT = 3 => c"ompt_task_explicit",
    TARGET = 4 => c"ompt_task_target",
    /// A construct that created no new task.
    DEGENERATE = 5 => c"ompt_task_degenerate",
}

c_enum! {
    /// The construct that created a target task.
    pub struct ompt_target_task_type_t(c_int);
    TARGET = 1 => c"ompt_target_task_target",
    ENTER_DATA = 2 => c"ompt_target_task_enter_data",
    EXIT_DATA = 3 => c"ompt_target_task_exit_data",
    UPDATE = 4 => c"ompt_target_task_update",
}

c_enum! {
    /// The caller of a parallel region's code on the primary thread.
    pub struct ompt_invoker_t(c_int);
    PROGRAM = 0 => c"ompt_invoker_program",
    RUNTIME = 1 => c"ompt_invoker_runtime",
}

c_enum! {
    /// The format of a record of a trace.
    pub struct ompt_record_type_t(c_int);
    OMPT = 0 => c"ompt_record_ompt",
    CORRELATION = 1 => c"ompt_record_correlation",
    NATIVE = 2 => c"ompt_record_native",
    /// The position is out of bounds.
    INVALID = 3 => c"ompt_record_invalid",
}

c_enum! {
    /// The meaning of a native record.
    pub struct ompt_record_native_class_t(c_int);
    INFO = 0 => c"ompt_record_native_class_info",
    EVENT = 1 => c"ompt_record_native_class_event",
}

const _: () = {
    assert!(size_of::<ompt_state_t>() == 4);
    assert!(size_of::<ompt_thread_type_t>() == 4);
    assert!(size_of::<ompt_task_type_t>() == 4);
    assert!(size_of::<ompt_target_task_type_t>() == 4);
    assert!(size_of::<ompt_invoker_t>() == 4);
    assert!(size_of::<ompt_record_type_t>() == 4);
    assert!(size_of::<ompt_record_native_class_t>() == 4);
};
