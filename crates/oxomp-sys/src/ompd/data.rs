//! Integers, records, handles and contexts.

use core::marker::{PhantomData, PhantomPinned};

/// A number of bytes in the debugger or the program.
pub type ompd_size_t = u64;
/// What a thread waits for.
pub type ompd_wait_id_t = u64;
/// An address within a segment of the program.
pub type ompd_addr_t = u64;
/// An integer of the program.
pub type ompd_word_t = i64;
/// A segment of the program.
pub type ompd_seg_t = u64;
/// A kind of device.
pub type ompd_device_t = u64;
/// A kind of native thread id.
pub type ompd_thread_id_t = u64;
/// The number of an internal control variable.
pub type ompd_icv_id_t = u64;

/// `ompd_segment_none`: the machine has no segments.
pub const SEGMENT_NONE: ompd_seg_t = 0;
/// `ompd_icv_undefined`: no variable; where an enumeration of them starts.
pub const ICV_UNDEFINED: ompd_icv_id_t = 0;

c_record! {
    /// An address of the program.
    ompd_address_t: 16 bytes {
        /// The segment.
        segment: ompd_seg_t = 0,
        /// The address in the segment.
        address: ompd_addr_t = 8,
    }
}

c_record! {
    /// A frame of a task.
    ompd_frame_info_t: 24 bytes {
        /// Where the frame lies; 0 if there is no frame.
        frame_address: ompd_address_t = 0,
        /// `ompt_frame_flag_t`.
        frame_flag: ompd_word_t = 16,
    }
}

c_record! {
    /// The sizes of C's types in an address space, in bytes.
    ompd_device_type_sizes_t: 6 bytes {
        /// `char`
        sizeof_char: u8 = 0,
        /// `short`
        sizeof_short: u8 = 1,
        /// `int`
        sizeof_int: u8 = 2,
        /// `long`
        sizeof_long: u8 = 3,
        /// `long long`
        sizeof_long_long: u8 = 4,
        /// `void *`
        sizeof_pointer: u8 = 5,
    }
}

macro_rules! opaque {
    ($($(#[$about:meta])* $name:ident;)*) => {
        $(
            $(#[$about])*
            #[repr(C)]
            #[derive(Debug)]
            pub struct $name {
                _private: [u8; 0],
                _pinned: PhantomData<(*mut u8, PhantomPinned)>,
            }
        )*
    };
}

opaque! {
    /// The library's handle of an address space.
    ompd_address_space_handle_t;
    /// The library's handle of a thread.
    ompd_thread_handle_t;
    /// The library's handle of a parallel or teams region.
    ompd_parallel_handle_t;
    /// The library's handle of a task.
    ompd_task_handle_t;
    /// The debugger's view of an address space.
    ompd_address_space_context_t;
    /// The debugger's view of a native thread.
    ompd_thread_context_t;
}
