//! The functions of a tool that supply buffers and take them back.

use core::ffi::c_int;
use core::ptr;

use oxomp_sys::ompt::{ompt_callback_buffer_complete_t, ompt_callback_buffer_request_t};
use oxomp_sys::report_2015::{
    ompt_target_buffer_complete_callback_t, ompt_target_buffer_request_callback_t,
};

use super::layout::{LEAST_BYTES_ANYWHERE, Writer};

/// The functions, in the form of the tool's generation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callbacks {
    /// OpenMP 5 and 6.
    Openmp5 {
        /// Supplies a buffer.
        request: ompt_callback_buffer_request_t,
        /// Takes a buffer back.
        complete: ompt_callback_buffer_complete_t,
    },
    /// The 2015 report.
    Report2015 {
        /// Supplies a buffer.
        request: ompt_target_buffer_request_callback_t,
        /// Takes a buffer back.
        complete: ompt_target_buffer_complete_callback_t,
    },
}

/// A buffer of the tool.
#[derive(Debug)]
pub(super) struct Buffer {
    memory: *mut u8,
    bytes: usize,
    /// Where the buffer's records go.
    pub(super) writer: Writer,
}

// SAFETY: the writer can be sent, and nothing else uses the buffer's memory.
unsafe impl Send for Buffer {}

impl Callbacks {
    /// Whether the tool is one of the 2015 report.
    pub(super) fn is_report_2015(self) -> bool {
        matches!(self, Self::Report2015 { .. })
    }

    /// Asks the tool for a buffer; `None` if it refuses. A buffer that is too small for any record
    /// counts as a refusal: the tool gets it back at once, without a record.
    pub(super) fn request(self, device: c_int) -> Option<Buffer> {
        // 6.0: on entry the least size that makes sense.
        let (mut memory, mut bytes) = (ptr::null_mut(), LEAST_BYTES_ANYWHERE);
        // SAFETY: the tool's functions, with two places of this function's own.
        unsafe {
            match self {
                Self::Openmp5 { request, .. } => request(device, &raw mut memory, &raw mut bytes),
                Self::Report2015 { request, .. } => {
                    request(device, &raw mut memory, &raw mut bytes);
                }
            }
        }
        if memory.is_null() || bytes == 0 {
            return None;
        }
        // SAFETY: the tool has said that the memory has `bytes` bytes, and leaves it to the
        // runtime.
        let writer = unsafe { Writer::new(memory.cast(), bytes) };
        if writer.is_none() {
            self.give_back(device, memory.cast(), bytes, 0, 0);
        }
        writer.map(|writer| Buffer { memory: memory.cast(), bytes, writer })
    }

    /// Hands a buffer with its records to the tool.
    pub(super) fn complete(self, device: c_int, buffer: Buffer) {
        let (begin, end) = (buffer.writer.begin(), buffer.writer.end());
        self.give_back(device, buffer.memory, buffer.bytes, begin, end);
    }

    fn give_back(self, device: c_int, memory: *mut u8, bytes: usize, begin: u64, end: u64) {
        let memory = memory.cast();
        // SAFETY: the tool's functions, with the memory that it supplied.
        unsafe {
            match self {
                Self::Openmp5 { complete, .. } => complete(device, memory, bytes, begin, 1),
                Self::Report2015 { complete, .. } => complete(device, memory, bytes, begin, end),
            }
        }
    }
}
