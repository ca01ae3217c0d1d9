//! Records of the trace of a device (App. A.6). Each has the arguments of an event's callback.

use core::ffi::{c_char, c_int, c_void};
use core::mem::{offset_of, size_of};

use super::{
    ompt_event_t, ompt_frame_t, ompt_parallel_id_t, ompt_record_native_class_t,
    ompt_target_activity_id_t, ompt_target_map_flag_t, ompt_target_time_t, ompt_task_dependence_t,
    ompt_task_id_t, ompt_thread_id_t, ompt_thread_type_t, ompt_wait_id_t,
};

c_record! {
    /// An event of a thread.
    ompt_record_thread_t: 8 bytes {
        /// The thread.
        thread_id: ompt_thread_id_t = 0,
    }
}

c_record! {
    /// A thread begins or ends.
    ompt_record_thread_type_t: 16 bytes {
        /// The kind of the thread.
        thread_type: ompt_thread_type_t = 0,
        /// The thread.
        thread_id: ompt_thread_id_t = 8,
    }
}

c_record! {
    /// An event of a mutex.
    ompt_record_wait_id_t: 8 bytes {
        /// The mutex.
        wait_id: ompt_wait_id_t = 0,
    }
}

c_record! {
    /// An event of a task in a parallel region.
    ompt_record_parallel_t: 16 bytes {
        /// The region.
        parallel_id: ompt_parallel_id_t = 0,
        /// The task.
        task_id: ompt_task_id_t = 8,
    }
}

c_record! {
    /// A task begins a worksharing region.
    ompt_record_workshare_begin_t: 24 bytes {
        /// The region.
        parallel_id: ompt_parallel_id_t = 0,
        /// The task.
        task_id: ompt_task_id_t = 8,
        /// The return address of the call of the construct.
        codeptr_ra: *mut c_void = 16,
    }
}

c_record! {
    /// A parallel region begins. The invoker of the callback is not part of it.
    ompt_record_parallel_begin_t: 40 bytes {
        /// The task that encountered the construct.
        parent_task_id: ompt_task_id_t = 0,
        /// The frames of that task.
        parent_frame: *mut ompt_frame_t = 8,
        /// The region.
        parallel_id: ompt_parallel_id_t = 16,
        /// The number of threads that the program asked for.
        requested_team_size: u32 = 24,
        /// The function of the construct's body.
        codeptr_ofn: *mut c_void = 32,
    }
}

c_record! {
    /// An event of a task.
    ompt_record_task_t: 8 bytes {
        /// The task.
        task_id: ompt_task_id_t = 0,
    }
}

c_record! {
    /// An event of two tasks.
    ompt_record_task_pair_t: 16 bytes {
        /// The task before, or that comes first.
        first_task_id: ompt_task_id_t = 0,
        /// The task after, or that comes second.
        second_task_id: ompt_task_id_t = 8,
    }
}

c_record! {
    /// A task construct creates a task.
    ompt_record_task_begin_t: 32 bytes {
        /// The task that encountered the construct.
        parent_task_id: ompt_task_id_t = 0,
        /// The frames of that task.
        parent_task_frame: *mut ompt_frame_t = 8,
        /// The new task.
        new_task_id: ompt_task_id_t = 16,
        /// The function of the construct's body.
        codeptr_ofn: *mut c_void = 24,
    }
}

c_record! {
    /// A target construct creates a target task. No member of [`ompt_record_arguments_t`].
    ompt_record_target_task_begin_t: 40 bytes {
        /// The task that encountered the construct.
        parent_task_id: ompt_task_id_t = 0,
        /// The frames of that task.
        parent_task_frame: *mut ompt_frame_t = 8,
        /// The target task.
        target_task_id: ompt_task_id_t = 16,
        /// The device.
        device_id: c_int = 24,
        /// The code of the target task.
        target_task_code: *mut c_void = 32,
    }
}

c_record! {
    /// A task reaches a target data construct. No member of [`ompt_record_arguments_t`].
    ompt_record_target_data_begin_t: 24 bytes {
        /// The task.
        task_id: ompt_task_id_t = 0,
        /// The device.
        device_id: c_int = 8,
        /// The return address of the call of the construct.
        codeptr_ra: *mut c_void = 16,
    }
}

c_record! {
    /// The mapping of one item begins. No member of [`ompt_record_arguments_t`].
    ompt_record_data_map_begin_t: 56 bytes {
        /// The task that encountered the construct.
        task_id: ompt_task_id_t = 0,
        /// The device.
        device_id: c_int = 8,
        /// The address on the host.
        host_addr: *mut c_void = 16,
        /// The address on the device.
        device_addr: *mut c_void = 24,
        /// The number of bytes.
        bytes: usize = 32,
        /// How the item is mapped.
        mapping_flags: ompt_target_map_flag_t = 40,
        /// The code that maps the item.
        target_map_code: *mut c_void = 48,
    }
}

c_record! {
    /// The mapping of one item is done. No member of [`ompt_record_arguments_t`].
    ompt_record_data_map_done_t: 48 bytes {
        /// The current task.
        task_id: ompt_task_id_t = 0,
        /// The device.
        device_id: c_int = 8,
        /// The address on the host.
        host_addr: *mut c_void = 16,
        /// The address on the device.
        device_addr: *mut c_void = 24,
        /// The number of bytes.
        bytes: usize = 32,
        /// How the item is mapped.
        mapping_flags: ompt_target_map_flag_t = 40,
    }
}

c_record! {
    /// The dependences of a new task. No member of [`ompt_record_arguments_t`].
    ompt_record_task_dependences_t: 24 bytes {
        /// The task.
        task_id: ompt_task_id_t = 0,
        /// The dependences.
        deps: *mut ompt_task_dependence_t = 8,
        /// The number of dependences.
        ndeps: c_int = 16,
    }
}

/// The arguments of one event; `ompt_record_ompt_t::event` says which. C has no name for the type.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ompt_record_arguments_t {
    /// Events of a thread.
    pub thread: ompt_record_thread_t,
    /// Begin and end of a thread (C's `type`).
    pub thread_type: ompt_record_thread_type_t,
    /// Events of a mutex.
    pub waitid: ompt_record_wait_id_t,
    /// Events of a task in a parallel region.
    pub parallel: ompt_record_parallel_t,
    /// Begin of a worksharing region.
    pub new_workshare: ompt_record_workshare_begin_t,
    /// Begin of a parallel region.
    pub new_parallel: ompt_record_parallel_begin_t,
    /// Events of a task.
    pub task: ompt_record_task_t,
    /// Events of two tasks.
    pub task_switch: ompt_record_task_pair_t,
    /// Creation of a task.
    pub new_task: ompt_record_task_begin_t,
}

/// A record in the format of the report.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_ompt_t {
    /// The event (C's `type`).
    pub event: ompt_event_t,
    /// The time of the record, by the clock of the device.
    pub time: ompt_target_time_t,
    /// The thread.
    pub thread_id: ompt_thread_id_t,
    /// The activity, which a correlation record links with a target task of the host.
    pub dev_task_id: ompt_target_activity_id_t,
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
        let Self { event, time, thread_id, dev_task_id, record: _ } = self;
        f.debug_struct("ompt_record_ompt_t")
            .field("event", event)
            .field("time", time)
            .field("thread_id", thread_id)
            .field("dev_task_id", dev_task_id)
            .finish_non_exhaustive()
    }
}

c_record! {
    /// Links an activity on a device with the target task that caused it.
    ompt_record_correlation_t: 16 bytes {
        /// The target task on the host.
        host_task_id: ompt_task_id_t = 0,
        /// The activity.
        dev_task_id: ompt_target_activity_id_t = 8,
    }
}

c_record! {
    /// The view of a native record that is the same for all devices.
    ompt_record_native_abstract_t: 48 bytes {
        /// Whether it is a piece of information or an event.
        rclass: ompt_record_native_class_t = 0,
        /// The name of its kind, which the device documents (C's `type`).
        kind: *const c_char = 8,
        /// The time of its begin.
        start_time: ompt_target_time_t = 16,
        /// The time of its end.
        end_time: ompt_target_time_t = 24,
        /// The activity.
        dev_task_id: ompt_target_activity_id_t = 32,
        /// The unit of the hardware.
        hwid: u64 = 40,
    }
}

const _: () = {
    assert!(size_of::<ompt_record_arguments_t>() == 40);
    assert!(size_of::<ompt_record_ompt_t>() == 72);
    assert!(offset_of!(ompt_record_ompt_t, event) == 0);
    assert!(offset_of!(ompt_record_ompt_t, time) == 8);
    assert!(offset_of!(ompt_record_ompt_t, thread_id) == 16);
    assert!(offset_of!(ompt_record_ompt_t, dev_task_id) == 24);
    assert!(offset_of!(ompt_record_ompt_t, record) == 32);
};
