//! The user's interface: types and constants of `omp.h` as both compilers' headers agree on them.

use core::ffi::{c_int, c_uint};
use core::mem::{align_of, size_of};

/// A lock variable. gcc's headers reserve 4 bytes, LLVM's 8: only these 4 may be touched.
#[repr(C)]
#[derive(Debug)]
pub struct omp_lock_t {
    /// The lock word, 0 in a fresh variable.
    pub word: u32,
}

/// A nest lock variable. LLVM's headers reserve 8 bytes, gcc's 16: only these 8 may be touched.
#[repr(C)]
#[derive(Debug)]
pub struct omp_nest_lock_t {
    /// A pointer-sized word.
    pub word: u64,
}

c_enum! {
    /// A schedule of `omp_set_schedule`, without its modifier.
    pub struct omp_sched_t(c_uint);
    STATIC = 1 => c"omp_sched_static",
    DYNAMIC = 2 => c"omp_sched_dynamic",
    GUIDED = 3 => c"omp_sched_guided",
    AUTO = 4 => c"omp_sched_auto",
}

impl omp_sched_t {
    /// `omp_sched_monotonic`, or-ed to a kind.
    pub const MONOTONIC: u32 = 0x8000_0000;
}

c_enum! {
    /// A thread affinity policy.
    pub struct omp_proc_bind_t(c_int);
    FALSE = 0 => c"omp_proc_bind_false",
    TRUE = 1 => c"omp_proc_bind_true",
    /// In older headers `omp_proc_bind_master`.
    PRIMARY = 2 => c"omp_proc_bind_primary",
    CLOSE = 3 => c"omp_proc_bind_close",
    SPREAD = 4 => c"omp_proc_bind_spread",
}

c_flags! {
    /// What a lock or a critical construct is expected to meet.
    pub struct omp_sync_hint_t(c_uint);
    UNCONTENDED = 0x1 => c"omp_sync_hint_uncontended",
    CONTENDED = 0x2 => c"omp_sync_hint_contended",
    NONSPECULATIVE = 0x4 => c"omp_sync_hint_nonspeculative",
    SPECULATIVE = 0x8 => c"omp_sync_hint_speculative",
}

c_enum! {
    /// The name of a trait of an allocator; from 9 on the names are those of LLVM and of OpenMP
    /// 6.0.
    pub struct omp_alloctrait_key_t(c_int);
    SYNC_HINT = 1 => c"omp_atk_sync_hint",
    ALIGNMENT = 2 => c"omp_atk_alignment",
    ACCESS = 3 => c"omp_atk_access",
    POOL_SIZE = 4 => c"omp_atk_pool_size",
    FALLBACK = 5 => c"omp_atk_fallback",
    FB_DATA = 6 => c"omp_atk_fb_data",
    PINNED = 7 => c"omp_atk_pinned",
    PARTITION = 8 => c"omp_atk_partition",
    PIN_DEVICE = 9 => c"omp_atk_pin_device",
    PREFERRED_DEVICE = 10 => c"omp_atk_preferred_device",
    DEVICE_ACCESS = 11 => c"omp_atk_device_access",
    TARGET_ACCESS = 12 => c"omp_atk_target_access",
    ATOMIC_SCOPE = 13 => c"omp_atk_atomic_scope",
    PART_SIZE = 14 => c"omp_atk_part_size",
}

c_enum! {
    /// The value of a trait of an allocator that is a word.
    pub struct omp_alloctrait_value_t(usize);
    FALSE = 0 => c"omp_atv_false",
    TRUE = 1 => c"omp_atv_true",
    CONTENDED = 3 => c"omp_atv_contended",
    UNCONTENDED = 4 => c"omp_atv_uncontended",
    /// In older headers `omp_atv_sequential`.
    SERIALIZED = 5 => c"omp_atv_serialized",
    PRIVATE = 6 => c"omp_atv_private",
    /// `omp_atv_all` in gcc's headers, and in LLVM's up to 19.
    DEVICE = 7 => c"omp_atv_device",
    THREAD = 8 => c"omp_atv_thread",
    PTEAM = 9 => c"omp_atv_pteam",
    CGROUP = 10 => c"omp_atv_cgroup",
    DEFAULT_MEM_FB = 11 => c"omp_atv_default_mem_fb",
    NULL_FB = 12 => c"omp_atv_null_fb",
    ABORT_FB = 13 => c"omp_atv_abort_fb",
    ALLOCATOR_FB = 14 => c"omp_atv_allocator_fb",
    ENVIRONMENT = 15 => c"omp_atv_environment",
    NEAREST = 16 => c"omp_atv_nearest",
    BLOCKED = 17 => c"omp_atv_blocked",
    INTERLEAVED = 18 => c"omp_atv_interleaved",
    /// In LLVM's headers from 20 on.
    ALL = 19 => c"omp_atv_all",
    SINGLE = 20 => c"omp_atv_single",
    MULTIPLE = 21 => c"omp_atv_multiple",
    MEMSPACE = 22 => c"omp_atv_memspace",
    /// The default of whatever trait.
    DEFAULT = usize::MAX => c"omp_atv_default",
}

/// A trait of an allocator with its value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct omp_alloctrait_t {
    /// The trait.
    pub key: omp_alloctrait_key_t,
    /// A word of `omp_alloctrait_value_t`, a number, or a handle.
    pub value: usize,
}

c_enum! {
    /// What `omp_pause_resource` releases.
    pub struct omp_pause_resource_t(c_int);
    SOFT = 1 => c"omp_pause_soft",
    HARD = 2 => c"omp_pause_hard",
    /// (6.0)
    STOP_TOOL = 3 => c"omp_pause_stop_tool",
}

c_enum! {
    /// A command of `omp_control_tool`; from 64 on the tool's own.
    pub struct omp_control_tool_t(c_int);
    START = 1 => c"omp_control_tool_start",
    PAUSE = 2 => c"omp_control_tool_pause",
    FLUSH = 3 => c"omp_control_tool_flush",
    END = 4 => c"omp_control_tool_end",
}

c_enum! {
    /// The result of `omp_control_tool`; negative if no tool received the command.
    pub struct omp_control_tool_result_t(c_int);
    NOTOOL = -2 => c"omp_control_tool_notool",
    NOCALLBACK = -1 => c"omp_control_tool_nocallback",
    SUCCESS = 0 => c"omp_control_tool_success",
    IGNORED = 1 => c"omp_control_tool_ignored",
}

const _: () = {
    assert!(size_of::<omp_lock_t>() == 4 && align_of::<omp_lock_t>() == 4);
    assert!(size_of::<omp_nest_lock_t>() == 8 && align_of::<omp_nest_lock_t>() == 8);
    assert!(size_of::<omp_sched_t>() == 4);
    assert!(size_of::<omp_alloctrait_t>() == 16 && align_of::<omp_alloctrait_t>() == 8);
    assert!(size_of::<omp_proc_bind_t>() == 4);
};
