//! Sets of flags of the tools interface (OpenMP 5.0 §4.4.4, 6.0 chapter 33); `int` in C.

use core::ffi::c_uint;

c_flags! {
    /// The kind of a task (low byte) and its properties.
    pub struct ompt_task_flag_t(c_uint);
    INITIAL = 0x1 => c"ompt_task_initial",
    IMPLICIT = 0x2 => c"ompt_task_implicit",
    EXPLICIT = 0x4 => c"ompt_task_explicit",
    TARGET = 0x8 => c"ompt_task_target",
    /// (5.1)
    TASKWAIT = 0x10 => c"ompt_task_taskwait",
    /// (6.0)
    IMPORTING = 0x0200_0000 => c"ompt_task_importing",
    /// (6.0)
    EXPORTING = 0x0400_0000 => c"ompt_task_exporting",
    UNDEFERRED = 0x0800_0000 => c"ompt_task_undeferred",
    UNTIED = 0x1000_0000 => c"ompt_task_untied",
    FINAL = 0x2000_0000 => c"ompt_task_final",
    MERGEABLE = 0x4000_0000 => c"ompt_task_mergeable",
    MERGED = 0x8000_0000 => c"ompt_task_merged",
}

c_flags! {
    /// Whether the program or the runtime calls the primary thread's share of a region, and whether
    /// the region is a league or a team.
    pub struct ompt_parallel_flag_t(c_uint);
    /// The program itself runs it (gcc's older calls).
    INVOKER_PROGRAM = 0x1 => c"ompt_parallel_invoker_program",
    /// The runtime calls the outlined function.
    INVOKER_RUNTIME = 0x2 => c"ompt_parallel_invoker_runtime",
    LEAGUE = 0x4000_0000 => c"ompt_parallel_league",
    TEAM = 0x8000_0000 => c"ompt_parallel_team",
}

c_flags! {
    /// The construct that is cancelled, and the part of the cancellation that an event reports.
    pub struct ompt_cancel_flag_t(c_uint);
    PARALLEL = 0x01 => c"ompt_cancel_parallel",
    SECTIONS = 0x02 => c"ompt_cancel_sections",
    LOOP = 0x04 => c"ompt_cancel_loop",
    TASKGROUP = 0x08 => c"ompt_cancel_taskgroup",
    ACTIVATED = 0x10 => c"ompt_cancel_activated",
    DETECTED = 0x20 => c"ompt_cancel_detected",
    DISCARDED_TASK = 0x40 => c"ompt_cancel_discarded_task",
}

c_flags! {
    /// Whether an address is of a frame of the runtime or of the program (bit 0), and the kind of
    /// the address.
    pub struct ompt_frame_flag_t(c_uint);
    RUNTIME = 0x00 => c"ompt_frame_runtime",
    APPLICATION = 0x01 => c"ompt_frame_application",
    /// The canonical frame address.
    CFA = 0x10 => c"ompt_frame_cfa",
    /// The value of the frame pointer register.
    FRAMEPOINTER = 0x20 => c"ompt_frame_framepointer",
    /// Any address within the frame.
    STACKADDRESS = 0x30 => c"ompt_frame_stackaddress",
}

c_flags! {
    /// How a variable is mapped.
    pub struct ompt_target_map_flag_t(c_uint);
    TO = 0x01 => c"ompt_target_map_flag_to",
    FROM = 0x02 => c"ompt_target_map_flag_from",
    ALLOC = 0x04 => c"ompt_target_map_flag_alloc",
    RELEASE = 0x08 => c"ompt_target_map_flag_release",
    DELETE = 0x10 => c"ompt_target_map_flag_delete",
    IMPLICIT = 0x20 => c"ompt_target_map_flag_implicit",
    /// (5.2), as the next three.
    ALWAYS = 0x40 => c"ompt_target_map_flag_always",
    PRESENT = 0x80 => c"ompt_target_map_flag_present",
    CLOSE = 0x100 => c"ompt_target_map_flag_close",
    SHARED = 0x200 => c"ompt_target_map_flag_shared",
}

c_flags! {
    /// The contents of a native trace of a device.
    pub struct ompt_native_mon_flag_t(c_uint);
    DATA_MOTION_EXPLICIT = 0x01 => c"ompt_native_data_motion_explicit",
    DATA_MOTION_IMPLICIT = 0x02 => c"ompt_native_data_motion_implicit",
    KERNEL_INVOCATION = 0x04 => c"ompt_native_kernel_invocation",
    KERNEL_EXECUTION = 0x08 => c"ompt_native_kernel_execution",
    DRIVER = 0x10 => c"ompt_native_driver",
    RUNTIME = 0x20 => c"ompt_native_runtime",
    OVERHEAD = 0x40 => c"ompt_native_overhead",
    IDLENESS = 0x80 => c"ompt_native_idleness",
}
