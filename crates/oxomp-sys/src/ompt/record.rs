//! Records of the trace of a device (OpenMP 5.0 §4.4.3.4, §4.4.4; 6.0 chapter 33). Each has the
//! arguments of an event's callback; ids take the place of the tool's data words, and are unique
//! within one target region.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::mem::{offset_of, size_of};

use super::{
    ompt_callbacks_t, ompt_cancel_flag_t, ompt_data_t, ompt_dependence_t, ompt_device_time_t,
    ompt_dispatch_t, ompt_hwid_t, ompt_id_t, ompt_mutex_t, ompt_parallel_flag_t,
    ompt_record_native_t, ompt_scope_endpoint_t, ompt_severity_t, ompt_sync_region_t,
    ompt_target_data_op_t, ompt_target_t, ompt_task_flag_t, ompt_task_status_t, ompt_thread_t,
    ompt_wait_id_t, ompt_work_t,
};

c_record! {
    /// A thread begins.
    ompt_record_thread_begin_t: 4 bytes {
        /// The kind of the thread.
        thread_type: ompt_thread_t = 0,
    }
}

c_record! {
    /// A parallel region begins.
    ompt_record_parallel_begin_t: 32 bytes {
        /// The task that encountered the construct.
        encountering_task_id: ompt_id_t = 0,
        /// The region.
        parallel_id: ompt_id_t = 8,
        /// The number of threads or teams that the program asked for.
        requested_parallelism: c_uint = 16,
        /// The flags of the callback.
        flags: ompt_parallel_flag_t = 20,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

c_record! {
    /// A parallel region ends.
    ompt_record_parallel_end_t: 32 bytes {
        /// The region.
        parallel_id: ompt_id_t = 0,
        /// The task that encountered the construct.
        encountering_task_id: ompt_id_t = 8,
        /// The flags of the callback.
        flags: ompt_parallel_flag_t = 16,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

c_record! {
    /// A worksharing region begins or ends.
    ompt_record_work_t: 40 bytes {
        /// The construct.
        work_type: ompt_work_t = 0,
        /// Whether it begins or ends.
        endpoint: ompt_scope_endpoint_t = 4,
        /// The region.
        parallel_id: ompt_id_t = 8,
        /// The task.
        task_id: ompt_id_t = 16,
        /// The number of iterations or sections.
        count: u64 = 24,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 32,
    }
}

c_record! {
    /// A thread begins an iteration, a section, or a chunk.
    ompt_record_dispatch_t: 32 bytes {
        /// The region.
        parallel_id: ompt_id_t = 0,
        /// The task.
        task_id: ompt_id_t = 8,
        /// What `instance` is.
        kind: ompt_dispatch_t = 16,
        /// The iteration, section or chunk.
        instance: ompt_data_t = 24,
    }
}

c_record! {
    /// A task is generated.
    ompt_record_task_create_t: 32 bytes {
        /// The task that encountered the construct.
        encountering_task_id: ompt_id_t = 0,
        /// The new task.
        new_task_id: ompt_id_t = 8,
        /// The flags of the callback.
        flags: ompt_task_flag_t = 16,
        /// Whether it has dependences.
        has_dependences: c_int = 20,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

c_record! {
    /// One dependence of a task, which has `ndeps` dependences.
    ompt_record_dependences_t: 32 bytes {
        /// The task.
        task_id: ompt_id_t = 0,
        /// The dependence.
        dep: ompt_dependence_t = 8,
        /// The number of dependences of the task.
        ndeps: c_int = 24,
    }
}

c_record! {
    /// A task depends on another.
    ompt_record_task_dependence_t: 16 bytes {
        /// The task that comes first.
        src_task_id: ompt_id_t = 0,
        /// The task that comes second.
        sink_task_id: ompt_id_t = 8,
    }
}

c_record! {
    /// A thread goes from one task to another.
    ompt_record_task_schedule_t: 24 bytes {
        /// The task before.
        prior_task_id: ompt_id_t = 0,
        /// The reason for the switch.
        prior_task_status: ompt_task_status_t = 8,
        /// The task after.
        next_task_id: ompt_id_t = 16,
    }
}

c_record! {
    /// An implicit or initial task begins or ends.
    ompt_record_implicit_task_t: 40 bytes {
        /// Whether it begins or ends.
        endpoint: ompt_scope_endpoint_t = 0,
        /// The region.
        parallel_id: ompt_id_t = 8,
        /// The task.
        task_id: ompt_id_t = 16,
        /// The number of threads or teams.
        actual_parallelism: c_uint = 24,
        /// The number of the thread or team.
        index: c_uint = 28,
        /// The flags of the callback.
        flags: ompt_task_flag_t = 32,
    }
}

c_record! {
    /// A masked region begins or ends.
    ompt_record_masked_t: 32 bytes {
        /// Whether it begins or ends.
        endpoint: ompt_scope_endpoint_t = 0,
        /// The region.
        parallel_id: ompt_id_t = 8,
        /// The task.
        task_id: ompt_id_t = 16,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

c_record! {
    /// A synchronization region, a wait in it, or a reduction begins or ends.
    ompt_record_sync_region_t: 32 bytes {
        /// The kind of the construct.
        kind: ompt_sync_region_t = 0,
        /// Whether it begins or ends.
        endpoint: ompt_scope_endpoint_t = 4,
        /// The region.
        parallel_id: ompt_id_t = 8,
        /// The task.
        task_id: ompt_id_t = 16,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

c_record! {
    /// A thread begins to acquire a mutex, or initializes a lock.
    ompt_record_mutex_acquire_t: 32 bytes {
        /// The kind of the construct.
        kind: ompt_mutex_t = 0,
        /// The hint of the program.
        hint: c_uint = 4,
        /// The implementation of the mutex.
        implementation: c_uint = 8,
        /// The mutex.
        wait_id: ompt_wait_id_t = 16,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

c_record! {
    /// A mutex is acquired or released, or a lock destroyed.
    ompt_record_mutex_t: 24 bytes {
        /// The kind of the construct.
        kind: ompt_mutex_t = 0,
        /// The mutex.
        wait_id: ompt_wait_id_t = 8,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 16,
    }
}

c_record! {
    /// The owner of a nestable lock sets or unsets it.
    ompt_record_nest_lock_t: 24 bytes {
        /// Whether it begins or ends.
        endpoint: ompt_scope_endpoint_t = 0,
        /// The mutex.
        wait_id: ompt_wait_id_t = 8,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 16,
    }
}

c_record! {
    /// A flush.
    ompt_record_flush_t: 8 bytes {
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 0,
    }
}

c_record! {
    /// A cancellation.
    ompt_record_cancel_t: 24 bytes {
        /// The task.
        task_id: ompt_id_t = 0,
        /// The flags of the callback.
        flags: ompt_cancel_flag_t = 8,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 16,
    }
}

c_record! {
    /// A target construct begins or ends.
    ompt_record_target_t: 40 bytes {
        /// The kind of the construct.
        kind: ompt_target_t = 0,
        /// Whether it begins or ends.
        endpoint: ompt_scope_endpoint_t = 4,
        /// The device.
        device_num: c_int = 8,
        /// The task.
        task_id: ompt_id_t = 16,
        /// The target construct.
        target_id: ompt_id_t = 24,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 32,
    }
}

c_record! {
    /// A data operation. The record's `time` is that of its begin.
    ompt_record_target_data_op_t: 72 bytes {
        /// The tool's id of the operation.
        host_op_id: ompt_id_t = 0,
        /// The operation.
        optype: ompt_target_data_op_t = 8,
        /// The address read from.
        src_addr: *mut c_void = 16,
        /// The device of that address.
        src_device_num: c_int = 24,
        /// The address written to.
        dest_addr: *mut c_void = 32,
        /// The device of that address.
        dest_device_num: c_int = 40,
        /// The number of bytes.
        bytes: usize = 48,
        /// The time at which the operation was complete.
        end_time: ompt_device_time_t = 56,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 64,
    }
}

c_record! {
    /// Data is mapped; the four arrays have `nitems` elements.
    ompt_record_target_map_t: 56 bytes {
        /// The target construct.
        target_id: ompt_id_t = 0,
        /// The number of elements.
        nitems: c_uint = 8,
        /// The addresses on the host.
        host_addr: *mut *mut c_void = 16,
        /// The addresses on the device.
        device_addr: *mut *mut c_void = 24,
        /// The number of bytes.
        bytes: *mut usize = 32,
        /// How each is mapped.
        mapping_flags: *mut c_uint = 40,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 48,
    }
}

c_record! {
    /// A target region is executed on the device.
    ompt_record_target_kernel_t: 24 bytes {
        /// The tool's id of the operation.
        host_op_id: ompt_id_t = 0,
        /// The number of teams that the program asked for.
        requested_num_teams: c_uint = 8,
        /// The number of teams that were formed.
        granted_num_teams: c_uint = 12,
        /// The time at which the operation was complete.
        end_time: ompt_device_time_t = 16,
    }
}

c_record! {
    /// The program calls `omp_control_tool`.
    ompt_record_control_tool_t: 24 bytes {
        /// The command.
        command: u64 = 0,
        /// The modifier.
        modifier: u64 = 8,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 16,
    }
}

c_record! {
    /// An `error` directive (5.1).
    ompt_record_error_t: 32 bytes {
        /// The severity.
        severity: ompt_severity_t = 0,
        /// The message.
        message: *const c_char = 8,
        /// The length of the message.
        length: usize = 16,
        /// The return address of the call of the construct.
        codeptr_ra: *const c_void = 24,
    }
}

/// The arguments of one event; `ompt_record_ompt_t::event` says which.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ompt_record_arguments_t {
    /// `ompt_callback_thread_begin`, and the events with the same arguments.
    pub thread_begin: ompt_record_thread_begin_t,
    /// `ompt_callback_parallel_begin`, and the events with the same arguments.
    pub parallel_begin: ompt_record_parallel_begin_t,
    /// `ompt_callback_parallel_end`, and the events with the same arguments.
    pub parallel_end: ompt_record_parallel_end_t,
    /// `ompt_callback_work`, and the events with the same arguments.
    pub work: ompt_record_work_t,
    /// `ompt_callback_dispatch`, and the events with the same arguments.
    pub dispatch: ompt_record_dispatch_t,
    /// `ompt_callback_task_create`, and the events with the same arguments.
    pub task_create: ompt_record_task_create_t,
    /// `ompt_callback_dependences`, and the events with the same arguments.
    pub dependences: ompt_record_dependences_t,
    /// `ompt_callback_task_dependence`, and the events with the same arguments.
    pub task_dependence: ompt_record_task_dependence_t,
    /// `ompt_callback_task_schedule`, and the events with the same arguments.
    pub task_schedule: ompt_record_task_schedule_t,
    /// `ompt_callback_implicit_task`, and the events with the same arguments.
    pub implicit_task: ompt_record_implicit_task_t,
    /// `ompt_callback_masked`, and the events with the same arguments.
    pub masked: ompt_record_masked_t,
    /// `ompt_callback_sync_region`, and the events with the same arguments.
    pub sync_region: ompt_record_sync_region_t,
    /// `ompt_callback_mutex_acquire`, and the events with the same arguments.
    pub mutex_acquire: ompt_record_mutex_acquire_t,
    /// `ompt_callback_mutex`, and the events with the same arguments.
    pub mutex: ompt_record_mutex_t,
    /// `ompt_callback_nest_lock`, and the events with the same arguments.
    pub nest_lock: ompt_record_nest_lock_t,
    /// `ompt_callback_flush`, and the events with the same arguments.
    pub flush: ompt_record_flush_t,
    /// `ompt_callback_cancel`, and the events with the same arguments.
    pub cancel: ompt_record_cancel_t,
    /// `ompt_callback_target`, and the events with the same arguments.
    pub target: ompt_record_target_t,
    /// `ompt_callback_target_data_op`, and the events with the same arguments.
    pub target_data_op: ompt_record_target_data_op_t,
    /// `ompt_callback_target_map`, and the events with the same arguments.
    pub target_map: ompt_record_target_map_t,
    /// `ompt_callback_target_submit`, and the events with the same arguments.
    pub target_kernel: ompt_record_target_kernel_t,
    /// `ompt_callback_control_tool`, and the events with the same arguments.
    pub control_tool: ompt_record_control_tool_t,
    /// `ompt_callback_error`, and the events with the same arguments.
    pub error: ompt_record_error_t,
}

/// A record in the standard format.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_ompt_t {
    /// The event (C's `type`).
    pub event: ompt_callbacks_t,
    /// When it happened, or began, by the clock of the device.
    pub time: ompt_device_time_t,
    /// The thread of the device, unique within the target region.
    pub thread_id: ompt_id_t,
    /// The tool's value for the target construct.
    pub target_id: ompt_id_t,
    /// The arguments.
    pub record: ompt_record_arguments_t,
}

impl core::fmt::Debug for ompt_record_arguments_t {
    /// Without its fields: the record that contains it says which one is set.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ompt_record_arguments_t").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for ompt_record_ompt_t {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { event, time, thread_id, target_id, record: _ } = self;
        f.debug_struct("ompt_record_ompt_t")
            .field("event", event)
            .field("time", time)
            .field("thread_id", thread_id)
            .field("target_id", target_id)
            .finish_non_exhaustive()
    }
}

c_record! {
    /// The view of a native record that is the same for all devices.
    ompt_record_abstract_t: 40 bytes {
        /// Whether it is a piece of information or an event.
        rclass: ompt_record_native_t = 0,
        /// The name of its kind, which the device documents (C's `type`).
        kind: *const c_char = 8,
        /// When it began.
        start_time: ompt_device_time_t = 16,
        /// When it ended.
        end_time: ompt_device_time_t = 24,
        /// The unit of the hardware.
        hwid: ompt_hwid_t = 32,
    }
}

const _: () = {
    assert!(size_of::<ompt_record_arguments_t>() == 72);
    assert!(size_of::<ompt_record_ompt_t>() == 104);
    assert!(offset_of!(ompt_record_ompt_t, event) == 0);
    assert!(offset_of!(ompt_record_ompt_t, time) == 8);
    assert!(offset_of!(ompt_record_ompt_t, thread_id) == 16);
    assert!(offset_of!(ompt_record_ompt_t, target_id) == 24);
    assert!(offset_of!(ompt_record_ompt_t, record) == 32);
};
