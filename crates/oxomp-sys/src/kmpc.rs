//! The interface of clang's and flang's code: the kmpc calls' types and constants.

use core::ffi::{c_char, c_uint, c_void};
use core::mem::{align_of, offset_of, size_of};

c_flags! {
    /// The flags of a source location.
    pub struct ident_flag_t(c_uint);
    /// Set by every compiler that uses this interface.
    KMPC = 0x02 => c"KMP_IDENT_KMPC",
    AUTOPAR = 0x08 => c"KMP_IDENT_AUTOPAR",
    /// The compiler also made an atomic form of this reduction.
    ATOMIC_REDUCE = 0x10 => c"KMP_IDENT_ATOMIC_REDUCE",
    BARRIER_EXPLICIT = 0x20 => c"KMP_IDENT_BARRIER_EXPL",
    /// With [`ident_flag_t::BARRIER_MASK`], the barrier at the end of a loop or a region.
    BARRIER_IMPLICIT = 0x40 => c"KMP_IDENT_BARRIER_IMPL",
    BARRIER_IMPLICIT_SECTIONS = 0xC0 => c"KMP_IDENT_BARRIER_IMPL_SECTIONS",
    BARRIER_IMPLICIT_SINGLE = 0x140 => c"KMP_IDENT_BARRIER_IMPL_SINGLE",
    BARRIER_IMPLICIT_WORKSHARE = 0x1C0 => c"KMP_IDENT_BARRIER_IMPL_WORKSHARE",
    /// A static-init call is of a loop, as the next two of sections and of distribute.
    WORK_LOOP = 0x200 => c"KMP_IDENT_WORK_LOOP",
    WORK_SECTIONS = 0x400 => c"KMP_IDENT_WORK_SECTIONS",
    WORK_DISTRIBUTE = 0x800 => c"KMP_IDENT_WORK_DISTRIBUTE",
}

impl ident_flag_t {
    /// The bits that tell the kinds of implicit barriers apart.
    pub const BARRIER_MASK: Self = Self(0x1C0);
    /// The hint of an atomic construct.
    pub const ATOMIC_HINT_MASK: Self = Self(0xFF_0000);
    /// The OpenMP version the code was compiled for.
    pub const OPENMP_VERSION_MASK: Self = Self(0xFF00_0000);
}

/// Where in the source a construct stands. Constant, in read-only memory; may be null in calls.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ident_t {
    /// 0.
    pub reserved_1: i32,
    /// What kind of call.
    pub flags: ident_flag_t,
    /// 0.
    pub reserved_2: i32,
    /// Length of `psource` in clang's output; not to be relied on.
    pub reserved_3: i32,
    /// `;file;function;line;column;;`, null-terminated; may be null.
    pub psource: *const c_char,
}

// SAFETY: the object is constant, and so is the string it points to.
unsafe impl Sync for ident_t {}

/// A loop of a doacross loop nest: its bounds, both included, and its step.
///
/// clang numbers the iterations from 0: `lo` is 0, `st` is 1, and `up` is the number of iterations,
/// one more than the last value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kmp_dim {
    /// The first value.
    pub lo: i64,
    /// The last value, or, from clang, the value after it.
    pub up: i64,
    /// The step.
    pub st: i64,
}

const _: () = assert!(size_of::<kmp_dim>() == 24 && offset_of!(kmp_dim, st) == 16);

/// The word pair behind a named critical construct: zero at first, the runtime's afterwards.
///
/// One common symbol `.gomp_critical_user_<name>.var` for all objects of a process. Compilers align
/// it to 8; hand-written code promises 4 only.
pub type kmp_critical_name = [i32; 8];

/// An outlined parallel or teams region: the global and the team thread number by reference, then
/// as many pointer-sized words as the fork call was given.
///
/// The type names the first two arguments only; a call passes the words through an assembly shim.
pub type kmpc_micro = unsafe extern "C" fn(global_tid: *mut i32, bound_tid: *mut i32);

/// Combines `rhs_list` into `lhs_list`, two arrays of pointers to the reduction variables.
pub type kmpc_reduce_func = unsafe extern "C" fn(lhs_list: *mut c_void, rhs_list: *mut c_void);

/// Copies the private variables of `src_list` to `dst_list`, two arrays of pointers (copyprivate).
pub type kmpc_copy_func = unsafe extern "C" fn(dst_list: *mut c_void, src_list: *mut c_void);

c_enum! {
    /// The schedule word of loop calls: a kind, and the two modifier bits.
    pub struct sched_type(i32);
    STATIC_CHUNKED = 33 => c"kmp_sch_static_chunked",
    STATIC = 34 => c"kmp_sch_static",
    DYNAMIC_CHUNKED = 35 => c"kmp_sch_dynamic_chunked",
    GUIDED_CHUNKED = 36 => c"kmp_sch_guided_chunked",
    RUNTIME = 37 => c"kmp_sch_runtime",
    AUTO = 38 => c"kmp_sch_auto",
    TRAPEZOIDAL = 39 => c"kmp_sch_trapezoidal",
    STATIC_GREEDY = 40 => c"kmp_sch_static_greedy",
    STATIC_BALANCED = 41 => c"kmp_sch_static_balanced",
    GUIDED_ITERATIVE_CHUNKED = 42 => c"kmp_sch_guided_iterative_chunked",
    GUIDED_ANALYTICAL_CHUNKED = 43 => c"kmp_sch_guided_analytical_chunked",
    STATIC_STEAL = 44 => c"kmp_sch_static_steal",
    /// Static with the simd modifier.
    STATIC_BALANCED_CHUNKED = 45 => c"kmp_sch_static_balanced_chunked",
    GUIDED_SIMD = 46 => c"kmp_sch_guided_simd",
    RUNTIME_SIMD = 47 => c"kmp_sch_runtime_simd",
    ORDERED_STATIC_CHUNKED = 65 => c"kmp_ord_static_chunked",
    ORDERED_STATIC = 66 => c"kmp_ord_static",
    ORDERED_DYNAMIC_CHUNKED = 67 => c"kmp_ord_dynamic_chunked",
    ORDERED_GUIDED_CHUNKED = 68 => c"kmp_ord_guided_chunked",
    ORDERED_RUNTIME = 69 => c"kmp_ord_runtime",
    ORDERED_AUTO = 70 => c"kmp_ord_auto",
    ORDERED_TRAPEZOIDAL = 71 => c"kmp_ord_trapezoidal",
    DISTRIBUTE_STATIC_CHUNKED = 91 => c"kmp_distribute_static_chunked",
    DISTRIBUTE_STATIC = 92 => c"kmp_distribute_static",
}

impl sched_type {
    /// Added to a kind from 33 to 71 by code that does not want chunks merged.
    pub const NOMERGE_OFFSET: i32 = 128;
    /// The monotonic modifier.
    pub const MODIFIER_MONOTONIC: i32 = 1 << 29;
    /// The nonmonotonic modifier.
    pub const MODIFIER_NONMONOTONIC: i32 = 1 << 30;
}

c_enum! {
    /// What a cancel call cancels.
    pub struct kmpc_cancel_kind(i32);
    PARALLEL = 1 => c"cancel_parallel",
    LOOP = 2 => c"cancel_loop",
    SECTIONS = 3 => c"cancel_sections",
    TASKGROUP = 4 => c"cancel_taskgroup",
}

/// A task's function: the calling thread's number, the task. flang's return nothing.
pub type kmp_routine_entry_t = unsafe extern "C" fn(gtid: i32, task: *mut kmp_task_t) -> i32;

/// What a task's data begin with; the compiler's private data follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kmp_task_t {
    /// The block of shared variables, behind the private data; null if the task has no shared
    /// variables.
    pub shareds: *mut c_void,
    pub routine: Option<kmp_routine_entry_t>,
    /// 0 at first; the next part of an untied task.
    pub part_id: i32,
    /// With the flag for it: destroys the private data.
    pub destructors: Option<kmp_routine_entry_t>,
    /// With the flag for it: the priority clause.
    pub priority: i32,
}

/// The flags of a task's allocation.
pub mod task_flag {
    pub const TIED: i32 = 0x1;
    pub const FINAL: i32 = 0x2;
    pub const MERGED_IF0: i32 = 0x4;
    pub const DESTRUCTORS: i32 = 0x8;
    pub const PROXY: i32 = 0x10;
    pub const PRIORITY: i32 = 0x20;
    pub const DETACHABLE: i32 = 0x40;
}

/// One dependence of a task.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kmp_depend_info_t {
    pub base_addr: isize,
    pub len: usize,
    /// Of `depend_flag`; what pads it is not written by compilers.
    pub flags: u8,
}

/// The kinds of dependences; `OUT` and `INOUT` mean the same.
pub mod depend_flag {
    pub const IN: u8 = 0x1;
    pub const OUT: u8 = 0x2;
    pub const INOUT: u8 = 0x3;
    pub const MUTEXINOUTSET: u8 = 0x4;
    pub const INOUTSET: u8 = 0x8;
    pub const ALL_MEMORY: u8 = 0x80;
}

/// One list item of a task reduction, as it is handed over since clang 10.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kmp_taskred_input_t {
    pub reduce_shar: *mut c_void,
    pub reduce_orig: *mut c_void,
    pub reduce_size: usize,
    /// Null: zero bytes.
    pub reduce_init: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub reduce_fini: Option<unsafe extern "C" fn(*mut c_void)>,
    pub reduce_comb: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub flags: u32,
}

/// One list item of a task reduction as compilers before clang 10 pass it, without `reduce_orig`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kmp_task_red_input_t {
    pub reduce_shar: *mut c_void,
    pub reduce_size: usize,
    pub reduce_init: Option<unsafe extern "C" fn(*mut c_void)>,
    pub reduce_fini: Option<unsafe extern "C" fn(*mut c_void)>,
    pub reduce_comb: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    pub flags: u32,
}

const _: () = {
    assert!(size_of::<kmp_task_t>() == 40);
    assert!(offset_of!(kmp_task_t, part_id) == 16);
    assert!(offset_of!(kmp_task_t, destructors) == 24);
    assert!(offset_of!(kmp_task_t, priority) == 32);
    assert!(size_of::<kmp_depend_info_t>() == 24);
    assert!(offset_of!(kmp_depend_info_t, flags) == 16);
    assert!(size_of::<kmp_taskred_input_t>() == 56);
    assert!(size_of::<kmp_task_red_input_t>() == 48);
    assert!(size_of::<ident_t>() == 24 && align_of::<ident_t>() == 8);
    assert!(offset_of!(ident_t, reserved_1) == 0);
    assert!(offset_of!(ident_t, flags) == 4);
    assert!(offset_of!(ident_t, reserved_2) == 8);
    assert!(offset_of!(ident_t, reserved_3) == 12);
    assert!(offset_of!(ident_t, psource) == 16);
    assert!(size_of::<kmp_critical_name>() == 32);
    assert!(size_of::<sched_type>() == 4);
};
