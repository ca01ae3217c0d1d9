//! The interface of clang's and flang's offloading code: what `__tgt_*` calls hand over.
//!
//! Layouts of clang 19, clang 22 and flang 22. Names are those of the generated code.

use core::ffi::{CStr, c_char, c_void};
use core::mem::{offset_of, size_of};

/// The unique identifier of the host among all devices.
pub const UID_OF_HOST: &CStr = c"HOST";

/// A table of images, one for each executable or shared object that offloads.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct __tgt_bin_desc {
    pub num_device_images: i32,
    pub device_images: *const __tgt_device_image,
    /// The first of the entries, in one of two formats.
    pub host_entries_begin: *const c_void,
    pub host_entries_end: *const c_void,
}

/// An image: the device code of an executable or shared object for one architecture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct __tgt_device_image {
    pub image_start: *const c_void,
    pub image_end: *const c_void,
    pub entries_begin: *const c_void,
    pub entries_end: *const c_void,
}

/// An entry as clang 19 writes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct offload_entry_19 {
    pub addr: *const c_void,
    pub name: *const c_char,
    pub size: u64,
    pub flags: i32,
    pub data: i32,
}

/// An entry as clang 22 and flang 22 write it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct offload_entry_22 {
    pub reserved: u64,
    pub version: u16,
    /// 1 for OpenMP; entries of other languages stand in the same table.
    pub kind: u16,
    pub flags: u32,
    pub addr: *const c_void,
    pub name: *const c_char,
    pub size: u64,
    pub data: u64,
    pub aux_addr: *const c_void,
}

/// The bits of an entry's flags.
pub mod entry_flag {
    /// The address belongs to the host's reference pointer (`declare target link`).
    pub const LINK: u32 = 0x01;
    /// A function that is called indirectly.
    pub const INDIRECT: u32 = 0x08;
    /// The entry has the bits of the `requires` directives, and no address.
    pub const REQUIRES: u32 = 0x10;
}

/// The bits of `requires` directives.
pub mod requires_flag {
    pub const NONE: u64 = 0x01;
    pub const REVERSE_OFFLOAD: u64 = 0x02;
    pub const UNIFIED_ADDRESS: u64 = 0x04;
    pub const UNIFIED_SHARED_MEMORY: u64 = 0x08;
    pub const DYNAMIC_ALLOCATORS: u64 = 0x10;
    pub const SELF_MAPS: u64 = 0x20;
}

/// What a kernel is launched with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct KernelArgs {
    pub version: u32,
    pub num_args: u32,
    pub arg_base_ptrs: *mut *mut c_void,
    pub arg_ptrs: *mut *mut c_void,
    pub arg_sizes: *mut i64,
    pub arg_types: *mut i64,
    pub arg_names: *mut *mut c_void,
    pub arg_mappers: *mut *mut c_void,
    pub tripcount: u64,
    /// Bit 0: nowait.
    pub flags: u64,
    pub num_teams: [u32; 3],
    pub thread_limit: [u32; 3],
    pub dyn_cgroup_mem: u32,
}

impl KernelArgs {
    /// The version from which on kernels take a launch environment as their first argument.
    pub const WITH_LAUNCH_ENVIRONMENT: u32 = 3;
}

/// The bits of a map type.
pub mod map_type {
    pub const TO: u64 = 0x1;
    pub const FROM: u64 = 0x2;
    pub const ALWAYS: u64 = 0x4;
    pub const DELETE: u64 = 0x8;
    pub const PTR_AND_OBJ: u64 = 0x10;
    pub const TARGET_PARAM: u64 = 0x20;
    pub const RETURN_PARAM: u64 = 0x40;
    pub const PRIVATE: u64 = 0x80;
    pub const LITERAL: u64 = 0x100;
    pub const IMPLICIT: u64 = 0x200;
    pub const CLOSE: u64 = 0x400;
    pub const PRESENT: u64 = 0x1000;
    pub const OMPX_HOLD: u64 = 0x2000;
    pub const ATTACH: u64 = 0x4000;
    pub const NON_CONTIG: u64 = 0x1000_0000_0000;
    /// The bits for the number, from 1, of the item with the structure of which this item is a
    /// member.
    pub const MEMBER_OF: u64 = 0xFFFF_0000_0000_0000;
    pub const MEMBER_OF_SHIFT: u32 = 48;
}

/// A dimension of a section that is not contiguous, in elements and bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct __tgt_target_non_contig {
    pub offset: u64,
    pub count: u64,
    pub stride: u64,
}

/// A mapper that the compiler made; it pushes its items to `handle`.
pub type mapper_t = unsafe extern "C" fn(
    handle: *mut c_void,
    base: *mut c_void,
    begin: *mut c_void,
    size: i64,
    map_type: i64,
    name: *mut c_void,
);

/// The kinds of interop objects.
pub mod interop_kind {
    pub const UNKNOWN: i32 = 0;
    pub const TARGET: i32 = 1;
    pub const TARGETSYNC: i32 = 2;
}

const _: () = {
    assert!(size_of::<__tgt_bin_desc>() == 32);
    assert!(offset_of!(__tgt_bin_desc, host_entries_end) == 24);
    assert!(size_of::<__tgt_device_image>() == 32);
    assert!(size_of::<offload_entry_19>() == 32);
    assert!(offset_of!(offload_entry_19, flags) == 24);
    assert!(size_of::<offload_entry_22>() == 56);
    assert!(offset_of!(offload_entry_22, flags) == 12);
    assert!(offset_of!(offload_entry_22, data) == 40);
    assert!(size_of::<KernelArgs>() == 104);
    assert!(offset_of!(KernelArgs, tripcount) == 56);
    assert!(offset_of!(KernelArgs, num_teams) == 72);
    assert!(offset_of!(KernelArgs, dyn_cgroup_mem) == 96);
    assert!(size_of::<__tgt_target_non_contig>() == 24);
};
