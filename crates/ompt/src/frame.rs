//! The stack frames at which a task's code and the runtime's meet.

use core::marker::PhantomData;

use oxomp_sys::ompt::{ompt_data_t, ompt_frame_flag_t, ompt_frame_t};

use crate::FrameFlags;

/// A task's frames (OpenMP 5.0 §4.4.4.28). The runtime may be changing them while a sampler reads.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    frame: *const ompt_frame_t,
    life: PhantomData<&'a ompt_frame_t>,
}

/// An address that identifies a stack frame, and its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameAddress {
    /// An address in the frame, of the kind that `flags` says.
    pub address: u64,
    /// Whether the frame is the runtime's or the program's, and the kind of the address.
    pub flags: FrameFlags,
}

impl Frame<'_> {
    /// The frame behind an argument; `None` for a null pointer.
    ///
    /// # Safety
    /// `frame` is null or points to a frame that is alive as long as the result is used.
    pub(crate) unsafe fn from_raw(frame: *const ompt_frame_t) -> Option<Self> {
        (!frame.is_null()).then_some(Self { frame, life: PhantomData })
    }

    /// The frame by which the runtime entered the task's code; `None` before the task has started.
    pub fn exit(&self) -> Option<FrameAddress> {
        // SAFETY: the frame is alive (see `from_raw`); fields are read once, without a reference,
        // because the interrupted runtime may be between two writes.
        unsafe {
            address(
                (&raw const (*self.frame).exit_frame).read_volatile(),
                (&raw const (*self.frame).exit_frame_flags).read_volatile(),
            )
        }
    }

    /// The task's frame that called the runtime; `None` while the task runs its own code.
    pub fn enter(&self) -> Option<FrameAddress> {
        // SAFETY: the frame is alive (see `from_raw`); fields are read once, without a reference,
        // because the interrupted runtime may be between two writes.
        unsafe {
            address(
                (&raw const (*self.frame).enter_frame).read_volatile(),
                (&raw const (*self.frame).enter_frame_flags).read_volatile(),
            )
        }
    }
}

fn address(frame: ompt_data_t, flags: ompt_frame_flag_t) -> Option<FrameAddress> {
    (!frame.is_none()).then_some(FrameAddress { address: frame.value, flags })
}
