//! Flags of the 2015 report (App. A.3).

use core::ffi::c_uint;

c_flags! {
    /// The kind of a dependence: a field of two bits.
    pub struct ompt_task_dependence_flag_t(c_uint);
    OUT = 1 => c"ompt_task_dependence_type_out",
    IN = 2 => c"ompt_task_dependence_type_in",
    INOUT = 3 => c"ompt_task_dependence_type_inout",
}

c_flags! {
    /// How an item is mapped: a field of three bits with the map type, and one bit for synchronous
    /// operations.
    pub struct ompt_target_map_flag_t(c_uint);
    TO = 1 => c"ompt_target_map_flag_to",
    FROM = 2 => c"ompt_target_map_flag_from",
    TOFROM = 3 => c"ompt_target_map_flag_tofrom",
    ALLOC = 4 => c"ompt_target_map_flag_alloc",
    RELEASE = 5 => c"ompt_target_map_flag_release",
    DELETE = 6 => c"ompt_target_map_flag_delete",
    /// The operation is complete when its end is reported.
    SYNC = 8 => c"ompt_target_map_flag_sync",
}

impl ompt_target_map_flag_t {
    /// The map type alone: one of the values from `TO` to `DELETE`. [`contains`] does not tell it,
    /// since these values share bits.
    ///
    /// [`contains`]: ompt_target_map_flag_t::contains
    pub const fn map_type(self) -> Self {
        Self(self.0 & 7)
    }
}

c_flags! {
    /// The contents of a native trace of a device (§6.2).
    pub struct ompt_native_mon_flags_t(c_uint);
    DATA_MOTION_EXPLICIT = 1 => c"ompt_native_data_motion_explicit",
    DATA_MOTION_IMPLICIT = 2 => c"ompt_native_data_motion_implicit",
    KERNEL_INVOCATION = 4 => c"ompt_native_kernel_invocation",
    KERNEL_EXECUTION = 8 => c"ompt_native_kernel_execution",
    DRIVER = 16 => c"ompt_native_driver",
    RUNTIME = 32 => c"ompt_native_runtime",
    OVERHEAD = 64 => c"ompt_native_overhead",
    IDLENESS = 128 => c"ompt_native_idleness",
}
