//! Structures of the tools interface and their layouts (OpenMP 5.0 §4.4, 6.0 chapter 33).

use core::ffi::{c_int, c_void};
use core::mem::{align_of, offset_of, size_of};

use super::enumeration::ompt_dependence_type_t;
use super::ompt_frame_flag_t;

/// A word that belongs to the tool: C's union of a 64-bit value and a pointer.
///
/// Every thread, parallel region, task and target region has one, and it starts as
/// [`ompt_data_t::NONE`].
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ompt_data_t {
    /// The word as a number; [`ompt_data_t::ptr`] reads it as a pointer.
    pub value: u64,
}

impl ompt_data_t {
    /// `ompt_data_none`: the initial value.
    pub const NONE: Self = Self { value: 0 };

    /// A word holding a pointer, whose provenance is exposed.
    pub fn from_ptr<T>(ptr: *const T) -> Self {
        Self { value: ptr.expose_provenance() as u64 }
    }

    /// The word read as a pointer.
    pub fn ptr<T>(self) -> *mut T {
        core::ptr::with_exposed_provenance_mut(self.value as usize)
    }

    /// Whether the word has its initial value.
    pub const fn is_none(self) -> bool {
        self.value == 0
    }
}

/// Identifies an object of the runtime; 0 is `ompt_id_none`.
pub type ompt_id_t = u64;
/// Identifies what a thread waits for; 0 is `ompt_wait_id_none`.
pub type ompt_wait_id_t = u64;
/// Identifies a hardware unit of a device; 0 is `ompt_hwid_none`.
pub type ompt_hwid_t = u64;
/// A device's clock; 0 is `ompt_time_none`.
pub type ompt_device_time_t = u64;
/// A position in a trace buffer.
pub type ompt_buffer_cursor_t = u64;
/// An opaque device.
pub type ompt_device_t = c_void;
/// An opaque trace buffer.
pub type ompt_buffer_t = c_void;

/// The address that stands for "not available": all bits set.
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_addr_none: u64 = !0;
/// The mutex implementation that stands for "none", where an enumeration starts.
#[allow(non_upper_case_globals, reason = "the C name")]
pub const ompt_mutex_impl_none: c_int = 0;

/// Where a task's stack frames meet the runtime's (OpenMP 5.0 §4.4.4.28, 6.0 §33.15).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ompt_frame_t {
    /// The frame through which the runtime entered the task's code; null before it has entered it.
    pub exit_frame: ompt_data_t,
    /// The task's frame that last called the runtime; null while the task runs its own code.
    pub enter_frame: ompt_data_t,
    /// Whose frame `exit_frame` is, and what kind of address.
    pub exit_frame_flags: ompt_frame_flag_t,
    /// Whose frame `enter_frame` is, and what kind of address.
    pub enter_frame_flags: ompt_frame_flag_t,
}

impl ompt_frame_t {
    /// No frame: an initial task in user code, or a task that has not started.
    pub const NONE: Self = Self {
        exit_frame: ompt_data_t::NONE,
        enter_frame: ompt_data_t::NONE,
        exit_frame_flags: ompt_frame_flag_t::NONE,
        enter_frame_flags: ompt_frame_flag_t::NONE,
    };
}

/// One dependence of a task, or one element of a doacross vector (OpenMP 5.0 §4.4.4.24).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ompt_dependence_t {
    /// A task dependence's storage location, or one element of the iteration vector.
    pub variable: ompt_data_t,
    /// What kind of dependence.
    pub dependence_type: ompt_dependence_type_t,
}

/// A chunk of iterations, behind the `instance` of a dispatch event (OpenMP 5.2 §19.4.4.13).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ompt_dispatch_chunk_t {
    /// The first logical iteration number.
    pub start: u64,
    /// How many iterations.
    pub iterations: u64,
}

/// A rectangular part of an array, for rectangular transfers (OpenMP 6.0).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ompt_subvolume_t {
    /// Start of the array.
    pub base: *const c_void,
    /// Bytes of an element.
    pub size: u64,
    /// How many dimensions the three vectors have.
    pub num_dims: u64,
    /// Elements to transfer, per dimension.
    pub volume: *const u64,
    /// First element, per dimension.
    pub offsets: *const u64,
    /// Extent of the array, per dimension.
    pub dimensions: *const u64,
}

const _: () = {
    assert!(size_of::<ompt_data_t>() == 8 && align_of::<ompt_data_t>() == 8);
    assert!(size_of::<ompt_frame_t>() == 24);
    assert!(offset_of!(ompt_frame_t, exit_frame) == 0);
    assert!(offset_of!(ompt_frame_t, enter_frame) == 8);
    assert!(offset_of!(ompt_frame_t, exit_frame_flags) == 16);
    assert!(offset_of!(ompt_frame_t, enter_frame_flags) == 20);
    assert!(size_of::<ompt_dependence_t>() == 16);
    assert!(offset_of!(ompt_dependence_t, variable) == 0);
    assert!(offset_of!(ompt_dependence_t, dependence_type) == 8);
    assert!(size_of::<ompt_dispatch_chunk_t>() == 16);
    assert!(offset_of!(ompt_dispatch_chunk_t, iterations) == 8);
    assert!(size_of::<ompt_subvolume_t>() == 48);
    assert!(offset_of!(ompt_subvolume_t, size) == 8);
    assert!(offset_of!(ompt_subvolume_t, num_dims) == 16);
    assert!(offset_of!(ompt_subvolume_t, volume) == 24);
    assert!(offset_of!(ompt_subvolume_t, offsets) == 32);
    assert!(offset_of!(ompt_subvolume_t, dimensions) == 40);
};
