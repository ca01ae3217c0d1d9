//! The interface of gcc's and gfortran's code: the GOMP calls' types and constants.

use core::ffi::{c_uint, c_void};

/// An outlined region: one pointer to a structure that the caller built.
pub type gomp_fn = unsafe extern "C" fn(data: *mut c_void);

/// The low three bits of the flags of `GOMP_parallel` and its relatives: an
/// [`omp_proc_bind_t`](crate::omp::omp_proc_bind_t) value, 0 meaning no clause.
pub const GOMP_PROC_BIND_MASK: c_uint = 7;

c_enum! {
    /// The kind in the schedule word of the general loop calls (`GOMP_loop_start` …).
    pub struct gomp_schedule(i64);
    RUNTIME = 0 => c"GFS_RUNTIME",
    STATIC = 1 => c"GFS_STATIC",
    DYNAMIC = 2 => c"GFS_DYNAMIC",
    GUIDED = 3 => c"GFS_GUIDED",
    /// Nonmonotonic runtime.
    AUTO = 4 => c"GFS_AUTO",
}

impl gomp_schedule {
    /// The monotonic modifier, or-ed to the kind.
    pub const MONOTONIC: i64 = 0x8000_0000;
}

/// Copies a task's data block: `copy(new, original)`.
pub type gomp_copy_fn = unsafe extern "C" fn(new: *mut c_void, original: *mut c_void);

/// The flags of `GOMP_task` and `GOMP_taskloop`.
pub mod gomp_task_flag {
    use core::ffi::c_uint;

    pub const UNTIED: c_uint = 0x1;
    pub const FINAL: c_uint = 0x2;
    pub const MERGEABLE: c_uint = 0x4;
    /// There is an array of dependences.
    pub const DEPEND: c_uint = 0x8;
    pub const PRIORITY: c_uint = 0x10;
    /// The loop counts up (`GOMP_taskloop_ull`).
    pub const UP: c_uint = 0x100;
    /// The number is a grain size, not one of tasks.
    pub const GRAINSIZE: c_uint = 0x200;
    /// The if clause holds (`GOMP_taskloop`).
    pub const IF: c_uint = 0x400;
    pub const NOGROUP: c_uint = 0x800;
    /// The third word of the data is a reduction descriptor.
    pub const REDUCTION: c_uint = 0x1000;
    pub const DETACH: c_uint = 0x2000;
    pub const STRICT: c_uint = 0x4000;
}

/// Where the parts of a task reduction's descriptor lie, in words.
pub mod gomp_reduction_word {
    /// How many list items.
    pub const COUNT: usize = 0;
    /// Bytes of a thread's copies.
    pub const BYTES: usize = 1;
    /// Their alignment at first, then the address of the first thread's.
    pub const BASE: usize = 2;
    /// The next descriptor, or 0.
    pub const NEXT: usize = 4;
    /// The runtime's.
    pub const RUNTIME: usize = 5;
    /// For each item: its address, its offset among a thread's copies, and a word of the runtime's.
    pub const ITEMS: usize = 7;
    pub const ITEM_WORDS: usize = 3;
}

c_flags! {
    /// What a cancel call cancels; other numbers than kmpc's.
    pub struct gomp_cancel_kind(c_uint);
    PARALLEL = 1 => c"GOMP_CANCEL_PARALLEL",
    LOOP = 2 => c"GOMP_CANCEL_LOOP",
    SECTIONS = 4 => c"GOMP_CANCEL_SECTIONS",
    TASKGROUP = 8 => c"GOMP_CANCEL_TASKGROUP",
}

/// The flags of the target calls.
pub mod gomp_target_flag {
    use core::ffi::c_uint;

    pub const NOWAIT: c_uint = 0x1;
    /// `GOMP_target_enter_exit_data` is a target exit data construct.
    pub const EXIT_DATA: c_uint = 0x2;
}

/// Device numbers of compiled code.
pub mod gomp_device {
    use core::ffi::c_int;

    /// No device clause.
    pub const DEFAULT: c_int = -1;
    /// The if clause is false.
    pub const HOST: c_int = -2;
}

/// The words of the list of arguments of `GOMP_target_ext`, which a zero ends.
pub mod gomp_target_arg {
    /// The devices that the argument is meant for; 0 for all.
    pub const DEVICE_MASK: usize = 0x7f;
    /// The value is the next word.
    pub const VALUE_FOLLOWS: usize = 0x80;
    pub const ID_MASK: usize = 0xff00;
    pub const NUM_TEAMS: usize = 0x100;
    pub const THREAD_LIMIT: usize = 0x200;
    /// The number of bits below a value in the same word.
    pub const VALUE_SHIFT: u32 = 16;
}

/// The map kinds of the target calls.
pub mod gomp_map_kind {
    /// The kind; the binary logarithm of the alignment is above.
    pub const MASK: u16 = 0xff;
    pub const ALIGNMENT_SHIFT: u32 = 8;
    /// The region gets a copy of the variable.
    pub const FIRSTPRIVATE: u16 = 12;
}
