//! Enumerations of the tools interface (OpenMP 5.0 §4.4.4, 6.0 chapter 33).

use core::ffi::c_int;
use core::mem::size_of;

c_enum! {
    /// What `ompt_set_callback` answers: how far an event can be delivered.
    pub struct ompt_set_result_t(c_int);
    ERROR = 0 => c"ompt_set_error",
    /// The event never happens in this runtime.
    NEVER = 1 => c"ompt_set_never",
    /// The event happens but cannot be reported; only of device tracing.
    IMPOSSIBLE = 2 => c"ompt_set_impossible",
    /// Reported for some occurrences; a begin may lack its end.
    SOMETIMES = 3 => c"ompt_set_sometimes",
    /// Reported for some occurrences, begin and end in pairs.
    SOMETIMES_PAIRED = 4 => c"ompt_set_sometimes_paired",
    ALWAYS = 5 => c"ompt_set_always",
}

c_enum! {
    /// What kind of thread begins.
    pub struct ompt_thread_t(c_int);
    INITIAL = 1 => c"ompt_thread_initial",
    WORKER = 2 => c"ompt_thread_worker",
    OTHER = 3 => c"ompt_thread_other",
    UNKNOWN = 4 => c"ompt_thread_unknown",
}

c_enum! {
    /// Which end of a region an event stands for.
    pub struct ompt_scope_endpoint_t(c_int);
    BEGIN = 1 => c"ompt_scope_begin",
    END = 2 => c"ompt_scope_end",
    /// Both ends at once (5.1).
    BEGINEND = 3 => c"ompt_scope_beginend",
}

c_enum! {
    /// What a dispatch event hands out.
    pub struct ompt_dispatch_t(c_int);
    ITERATION = 1 => c"ompt_dispatch_iteration",
    SECTION = 2 => c"ompt_dispatch_section",
    /// (5.2) `instance` points to an `ompt_dispatch_chunk_t`, as with the next two.
    WS_LOOP_CHUNK = 3 => c"ompt_dispatch_ws_loop_chunk",
    TASKLOOP_CHUNK = 4 => c"ompt_dispatch_taskloop_chunk",
    DISTRIBUTE_CHUNK = 5 => c"ompt_dispatch_distribute_chunk",
}

c_enum! {
    /// What kind of synchronization region.
    pub struct ompt_sync_region_t(c_int);
    /// Deprecated in 5.1, gone from 6.0.
    BARRIER = 1 => c"ompt_sync_region_barrier",
    /// Deprecated in 5.1, gone from 6.0.
    BARRIER_IMPLICIT = 2 => c"ompt_sync_region_barrier_implicit",
    BARRIER_EXPLICIT = 3 => c"ompt_sync_region_barrier_explicit",
    /// A barrier that the specification does not require.
    BARRIER_IMPLEMENTATION = 4 => c"ompt_sync_region_barrier_implementation",
    TASKWAIT = 5 => c"ompt_sync_region_taskwait",
    TASKGROUP = 6 => c"ompt_sync_region_taskgroup",
    REDUCTION = 7 => c"ompt_sync_region_reduction",
    /// At the end of a worksharing construct (5.1).
    BARRIER_IMPLICIT_WORKSHARE = 8 => c"ompt_sync_region_barrier_implicit_workshare",
    /// At the end of a parallel region (5.1).
    BARRIER_IMPLICIT_PARALLEL = 9 => c"ompt_sync_region_barrier_implicit_parallel",
    /// At the end of a teams region (5.1).
    BARRIER_TEAMS = 10 => c"ompt_sync_region_barrier_teams",
}

c_enum! {
    /// What a data operation of a target construct does; 17 to 20 since 5.1, the rest since 6.0.
    pub struct ompt_target_data_op_t(c_int);
    ALLOC = 1 => c"ompt_target_data_alloc",
    TRANSFER_TO_DEVICE = 2 => c"ompt_target_data_transfer_to_device",
    TRANSFER_FROM_DEVICE = 3 => c"ompt_target_data_transfer_from_device",
    DELETE = 4 => c"ompt_target_data_delete",
    ASSOCIATE = 5 => c"ompt_target_data_associate",
    DISASSOCIATE = 6 => c"ompt_target_data_disassociate",
    TRANSFER = 7 => c"ompt_target_data_transfer",
    MEMSET = 8 => c"ompt_target_data_memset",
    TRANSFER_RECT = 9 => c"ompt_target_data_transfer_rect",
    ALLOC_ASYNC = 17 => c"ompt_target_data_alloc_async",
    TRANSFER_TO_DEVICE_ASYNC = 18 => c"ompt_target_data_transfer_to_device_async",
    TRANSFER_FROM_DEVICE_ASYNC = 19 => c"ompt_target_data_transfer_from_device_async",
    DELETE_ASYNC = 20 => c"ompt_target_data_delete_async",
    TRANSFER_ASYNC = 23 => c"ompt_target_data_transfer_async",
    MEMSET_ASYNC = 24 => c"ompt_target_data_memset_async",
    TRANSFER_RECT_ASYNC = 25 => c"ompt_target_data_transfer_rect_async",
}

c_enum! {
    /// What kind of worksharing region.
    pub struct ompt_work_t(c_int);
    /// A loop whose schedule is not known.
    LOOP = 1 => c"ompt_work_loop",
    SECTIONS = 2 => c"ompt_work_sections",
    SINGLE_EXECUTOR = 3 => c"ompt_work_single_executor",
    SINGLE_OTHER = 4 => c"ompt_work_single_other",
    WORKSHARE = 5 => c"ompt_work_workshare",
    DISTRIBUTE = 6 => c"ompt_work_distribute",
    TASKLOOP = 7 => c"ompt_work_taskloop",
    /// (5.1)
    SCOPE = 8 => c"ompt_work_scope",
    /// (6.0)
    WORKDISTRIBUTE = 9 => c"ompt_work_workdistribute",
    /// (5.2), as the next three.
    LOOP_STATIC = 10 => c"ompt_work_loop_static",
    LOOP_DYNAMIC = 11 => c"ompt_work_loop_dynamic",
    LOOP_GUIDED = 12 => c"ompt_work_loop_guided",
    LOOP_OTHER = 13 => c"ompt_work_loop_other",
}

c_enum! {
    /// What kind of mutual exclusion.
    pub struct ompt_mutex_t(c_int);
    LOCK = 1 => c"ompt_mutex_lock",
    TEST_LOCK = 2 => c"ompt_mutex_test_lock",
    NEST_LOCK = 3 => c"ompt_mutex_nest_lock",
    TEST_NEST_LOCK = 4 => c"ompt_mutex_test_nest_lock",
    CRITICAL = 5 => c"ompt_mutex_critical",
    ATOMIC = 6 => c"ompt_mutex_atomic",
    ORDERED = 7 => c"ompt_mutex_ordered",
}

c_enum! {
    /// What the task that a thread leaves is in, in a task-schedule event.
    pub struct ompt_task_status_t(c_int);
    COMPLETE = 1 => c"ompt_task_complete",
    YIELD = 2 => c"ompt_task_yield",
    CANCEL = 3 => c"ompt_task_cancel",
    DETACH = 4 => c"ompt_task_detach",
    EARLY_FULFILL = 5 => c"ompt_task_early_fulfill",
    LATE_FULFILL = 6 => c"ompt_task_late_fulfill",
    SWITCH = 7 => c"ompt_task_switch",
    /// (5.1)
    TASKWAIT_COMPLETE = 8 => c"ompt_taskwait_complete",
}

c_enum! {
    /// What kind of target construct; the nowait forms since 5.1.
    pub struct ompt_target_t(c_int);
    TARGET = 1 => c"ompt_target",
    ENTER_DATA = 2 => c"ompt_target_enter_data",
    EXIT_DATA = 3 => c"ompt_target_exit_data",
    UPDATE = 4 => c"ompt_target_update",
    TARGET_NOWAIT = 9 => c"ompt_target_nowait",
    ENTER_DATA_NOWAIT = 10 => c"ompt_target_enter_data_nowait",
    EXIT_DATA_NOWAIT = 11 => c"ompt_target_exit_data_nowait",
    UPDATE_NOWAIT = 12 => c"ompt_target_update_nowait",
}

c_enum! {
    /// What kind of dependence.
    pub struct ompt_dependence_type_t(c_int);
    IN = 1 => c"ompt_dependence_type_in",
    OUT = 2 => c"ompt_dependence_type_out",
    INOUT = 3 => c"ompt_dependence_type_inout",
    MUTEXINOUTSET = 4 => c"ompt_dependence_type_mutexinoutset",
    /// Of a doacross loop, as the next.
    SOURCE = 5 => c"ompt_dependence_type_source",
    SINK = 6 => c"ompt_dependence_type_sink",
    /// (5.1)
    INOUTSET = 7 => c"ompt_dependence_type_inoutset",
    OUT_ALL_MEMORY = 34 => c"ompt_dependence_type_out_all_memory",
    INOUT_ALL_MEMORY = 35 => c"ompt_dependence_type_inout_all_memory",
}

c_enum! {
    /// Severity of an error directive (5.1).
    pub struct ompt_severity_t(c_int);
    WARNING = 1 => c"ompt_warning",
    FATAL = 2 => c"ompt_fatal",
}

c_enum! {
    /// Whose format a trace record has.
    pub struct ompt_record_t(c_int);
    OMPT = 1 => c"ompt_record_ompt",
    NATIVE = 2 => c"ompt_record_native",
    INVALID = 3 => c"ompt_record_invalid",
}

c_enum! {
    /// What a native trace record is about.
    pub struct ompt_record_native_t(c_int);
    INFO = 1 => c"ompt_record_native_info",
    EVENT = 2 => c"ompt_record_native_event",
}

c_enum! {
    /// What a thread is doing. Values from 0x200 are the implementation's (OpenMP 6.0 §33.31).
    pub struct ompt_state_t(c_int);
    /// Executing code outside all parallel regions.
    WORK_SERIAL = 0x000 => c"ompt_state_work_serial",
    /// Executing code in a parallel region.
    WORK_PARALLEL = 0x001 => c"ompt_state_work_parallel",
    /// Combining partial results.
    WORK_REDUCTION = 0x002 => c"ompt_state_work_reduction",
    /// Executing a task without being in its team (6.0).
    WORK_FREE_AGENT = 0x003 => c"ompt_state_work_free_agent",
    /// (6.0)
    WORK_INDUCTION = 0x004 => c"ompt_state_work_induction",
    /// Deprecated in 5.1.
    WAIT_BARRIER = 0x010 => c"ompt_state_wait_barrier",
    /// In the barrier at the end of a parallel region.
    WAIT_BARRIER_IMPLICIT_PARALLEL = 0x011 => c"ompt_state_wait_barrier_implicit_parallel",
    /// In the barrier at the end of a worksharing construct.
    WAIT_BARRIER_IMPLICIT_WORKSHARE = 0x012 => c"ompt_state_wait_barrier_implicit_workshare",
    /// Deprecated in 5.1.
    WAIT_BARRIER_IMPLICIT = 0x013 => c"ompt_state_wait_barrier_implicit",
    WAIT_BARRIER_EXPLICIT = 0x014 => c"ompt_state_wait_barrier_explicit",
    /// (5.1)
    WAIT_BARRIER_IMPLEMENTATION = 0x015 => c"ompt_state_wait_barrier_implementation",
    /// (5.1)
    WAIT_BARRIER_TEAMS = 0x016 => c"ompt_state_wait_barrier_teams",
    WAIT_TASKWAIT = 0x020 => c"ompt_state_wait_taskwait",
    WAIT_TASKGROUP = 0x021 => c"ompt_state_wait_taskgroup",
    /// Waiting for a mutex of unspecified kind; with this and the next four there is a wait id.
    WAIT_MUTEX = 0x040 => c"ompt_state_wait_mutex",
    /// Waiting for a lock or a nest lock.
    WAIT_LOCK = 0x041 => c"ompt_state_wait_lock",
    WAIT_CRITICAL = 0x042 => c"ompt_state_wait_critical",
    WAIT_ATOMIC = 0x043 => c"ompt_state_wait_atomic",
    WAIT_ORDERED = 0x044 => c"ompt_state_wait_ordered",
    WAIT_TARGET = 0x080 => c"ompt_state_wait_target",
    WAIT_TARGET_MAP = 0x081 => c"ompt_state_wait_target_map",
    WAIT_TARGET_UPDATE = 0x082 => c"ompt_state_wait_target_update",
    /// Waiting for work, in no team.
    IDLE = 0x100 => c"ompt_state_idle",
    /// In the runtime, not waiting.
    OVERHEAD = 0x101 => c"ompt_state_overhead",
    /// Of a native thread unknown to the runtime, and where an enumeration starts.
    UNDEFINED = 0x102 => c"ompt_state_undefined",
}

impl ompt_state_t {
    /// Whether a wait id belongs to this state.
    pub const fn is_mutex_wait(self) -> bool {
        self.0 >= Self::WAIT_MUTEX.0 && self.0 <= Self::WAIT_ORDERED.0
    }
}

const _: () = assert!(size_of::<ompt_state_t>() == 4);
