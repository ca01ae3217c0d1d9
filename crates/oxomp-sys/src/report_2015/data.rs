//! Scalars and structures of the 2015 report (§4, App. A.3, A.4).

use core::ffi::c_void;
use core::mem::offset_of;

use super::{ompt_target_map_flag_t, ompt_task_dependence_flag_t};
use crate::ompt;

/// Identifies a thread of a device in one run; 0 means no thread.
pub type ompt_thread_id_t = u64;
/// Identifies a parallel region of a device in one run; 0 means no region.
pub type ompt_parallel_id_t = u64;
/// Identifies a task of a device in one run, implicit and initial ones included; 0 means no task.
pub type ompt_task_id_t = u64;
/// Identifies the object for which a thread waits; 0 is undefined.
pub type ompt_wait_id_t = u64;
/// Identifies an activity on a device, as one copy of data.
pub type ompt_target_activity_id_t = u64;
/// A time by the clock of a device.
pub type ompt_target_time_t = u64;
/// A position in a buffer of a trace.
pub type ompt_target_buffer_cursor_t = u64;
/// The implementation of a lock: a small integer, which `ompt_enumerate_lock_type` names.
pub type ompt_lock_type_t = u32;
/// The implementation of an atomic construct: a small integer, which `ompt_enumerate_atomic_type`
/// names. The report uses the type without its definition.
pub type ompt_atomic_type_t = u32;
/// The hint of a lock or a critical construct, by the numbers of `omp.h`.
pub type ompt_lock_hint_t = u32;
/// 0 is false, 1 is true.
pub type ompt_bool = u32;
/// An opaque device.
pub type ompt_target_device_t = c_void;
/// An opaque buffer of a trace.
pub type ompt_target_buffer_t = c_void;

/// The argument of `ompt_enumerate_lock_type` that asks for the first one; no lock has it.
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_lock_type_first: ompt_lock_type_t = 0;
/// The argument of `ompt_enumerate_atomic_type` that asks for the first one; no atomic has it.
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_atomic_type_first: ompt_atomic_type_t = 0;
/// The unit in a record without a unit: C's -1, as [`hwid`] holds it.
///
/// [`hwid`]: super::ompt_record_native_abstract_t::hwid
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_hwid_none: u64 = !0;
/// The activity in a record that belongs to no activity.
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_dev_task_none: ompt_target_activity_id_t = !0;
/// The time in a record without a time.
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_time_none: ompt_target_time_t = !0;

/// The number of the report's interface, which the runtime passes to a tool's initializer (§7.2).
pub const OMPT_VERSION: core::ffi::c_uint = 2;

c_record! {
    /// Where a task's stack frames meet the runtime's (§4.5).
    #[derive(PartialEq, Eq)]
    ompt_frame_t: 16 bytes {
        /// The runtime's frame that called the task's code; null before it has.
        exit_runtime_frame: *mut c_void = 0,
        /// The task's frame that called the runtime to create a task; null outside such calls.
        reenter_runtime_frame: *mut c_void = 8,
    }
}

impl ompt_frame_t {
    /// No frame: an initial task in user code, or a task that has not started.
    pub const NONE: Self = Self {
        exit_runtime_frame: core::ptr::null_mut(),
        reenter_runtime_frame: core::ptr::null_mut(),
    };
}

/// The structure of OpenMP 5.0 begins with that of the report: a pointer to the former is valid as
/// a pointer to the latter.
const _: () = {
    assert!(
        offset_of!(ompt::ompt_frame_t, exit_frame) == offset_of!(ompt_frame_t, exit_runtime_frame)
    );
    assert!(
        offset_of!(ompt::ompt_frame_t, enter_frame)
            == offset_of!(ompt_frame_t, reenter_runtime_frame)
    );
    assert!(align_of::<ompt::ompt_frame_t>() == align_of::<ompt_frame_t>());
};

c_record! {
    /// One dependence of a task.
    #[derive(PartialEq, Eq)]
    ompt_task_dependence_t: 16 bytes {
        /// The storage location.
        variable_addr: *mut c_void = 0,
        /// The kind of the dependence, in two bits.
        dependence_flags: ompt_task_dependence_flag_t = 8,
    }
}

c_record! {
    /// One item that is mapped to a device or back.
    #[derive(PartialEq, Eq)]
    ompt_target_map_entry_t: 32 bytes {
        /// The address on the host.
        host_addr: *mut c_void = 0,
        /// The address on the device.
        device_addr: *mut c_void = 8,
        /// The number of bytes.
        bytes: usize = 16,
        /// How the item is mapped.
        mapping_flags: ompt_target_map_flag_t = 24,
    }
}
