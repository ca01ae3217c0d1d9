//! The interface of gcc's and gfortran's code: the GOMP calls' types and constants.

use core::ffi::{CStr, c_int, c_uint, c_void};

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

    /// The variable gets memory on the device; with the two bits below, data go and come.
    pub const ALLOC: u16 = 0;
    pub const TO: u16 = 1;
    pub const FROM: u16 = 2;
    pub const TOFROM: u16 = 3;
    /// A pointer, whose pointee an earlier element maps; the size is the distance from the
    /// pointer's value to the mapped memory.
    pub const POINTER: u16 = 4;
    /// An array descriptor, in which pointers lie that follow.
    pub const TO_PSET: u16 = 5;
    pub const FORCE_PRESENT: u16 = 6;
    pub const DELETE: u16 = 7;
    pub const FORCE_DEVICEPTR: u16 = 8;
    pub const IF_PRESENT: u16 = 11;
    /// The region gets a copy of the variable.
    pub const FIRSTPRIVATE: u16 = 12;
    /// The address is the variable's value.
    pub const FIRSTPRIVATE_INT: u16 = 13;
    /// The element of the array of addresses becomes the device address.
    pub const USE_DEVICE_PTR: u16 = 14;
    /// Memory of unknown size, which may be mapped.
    pub const ZERO_LEN_ARRAY_SECTION: u16 = 15;
    pub const USE_DEVICE_PTR_IF_PRESENT: u16 = 0x10;
    pub const ALWAYS_TO: u16 = 0x11;
    pub const ALWAYS_FROM: u16 = 0x12;
    pub const ALWAYS_TOFROM: u16 = 0x13;
    pub const RELEASE: u16 = 0x17;
    /// A structure, of which the following elements map members; the size is their number.
    pub const STRUCT: u16 = 0x1c;
    /// A pointer that gets the device address of what the element before it maps.
    pub const ALWAYS_POINTER: u16 = 0x1d;
    /// A pointer to memory that may not be mapped.
    pub const POINTER_TO_ZERO_LENGTH_ARRAY_SECTION: u16 = 0x1e;
    pub const DELETE_ZERO_LEN_ARRAY_SECTION: u16 = 0x1f;
    /// A pointer that is attached to its pointee; the size is a distance, as for `POINTER`.
    pub const ATTACH: u16 = 0x50;
    pub const DETACH: u16 = 0x51;
    pub const ATTACH_ZERO_LENGTH_ARRAY_SECTION: u16 = 0x52;
    /// These bits say that no clause names the variable (gcc 12).
    pub const IMPLICIT: u16 = 0x60;
    /// With one of the first four kinds: of OpenACC.
    pub const FORCE: u16 = 0x80;
    pub const FORCE_DETACH: u16 = 0xd1;
}

/// Devices of gcc's images: their number in the registration, and the plug-in of libgomp that
/// drives them.
pub const GOMP_PLUGINS: [(c_int, &CStr); 2] =
    [(5, c"libgomp-plugin-nvptx.so.1"), (8, c"libgomp-plugin-gcn.so.1")];

/// The version of the interface between libgomp and its plug-ins, up to gcc 12.
pub const GOMP_PLUGIN_VERSION: c_uint = 1;

/// What `GOMP_OFFLOAD_get_caps` says of devices.
pub mod gomp_offload_cap {
    use core::ffi::c_uint;

    /// The devices use the host's memory.
    pub const SHARED_MEM: c_uint = 0x1;
    /// The devices execute the host's code.
    pub const NATIVE_EXEC: c_uint = 0x2;
    pub const OPENMP_400: c_uint = 0x4;
}

/// The begin and the end of something on a device (`struct addr_pair`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gomp_addr_pair {
    pub start: usize,
    pub end: usize,
}

/// The table that gcc gives an object that offloads.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gomp_host_table {
    /// The functions of target regions, and functions of declare target directives.
    pub functions: *const *const c_void,
    pub functions_end: *const *const c_void,
    /// Two words for each variable: address and size.
    pub variables: *const usize,
    pub variables_end: *const usize,
}

/// The bit of a variable's size for the link clause.
pub const GOMP_LINK_BIT: usize = 1 << (usize::BITS - 1);
