//! The stack frames at which a task's code and the runtime's meet.

use core::ffi::c_void;
use core::marker::PhantomData;

use oxomp_sys::report_2015::ompt_frame_t;

/// A task's frames (§4.5 of the report). The runtime may be changing them while a sampler reads.
///
/// | `reenter` | `exit` | the task |
/// |---|---|---|
/// | none | none | is an initial one in the program's code, or has not started |
/// | none | set | runs its own code, and is not initial |
/// | set | none | is an initial one that has entered the runtime to create a task |
/// | set | set | has entered the runtime to create a task, and is not initial |
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    frame: *const ompt_frame_t,
    life: PhantomData<&'a ompt_frame_t>,
}

impl Frame<'_> {
    /// The frame behind an argument; `None` for a null pointer.
    ///
    /// # Safety
    /// `frame` is null or points to a frame that is alive as long as the result is used.
    pub(super) unsafe fn from_raw(frame: *const ompt_frame_t) -> Option<Self> {
        (!frame.is_null()).then_some(Self { frame, life: PhantomData })
    }

    /// The address of the runtime's frame that called the task's code; `None` before the task has
    /// started. Signal-safe.
    pub fn exit(&self) -> Option<u64> {
        // SAFETY: the frame is alive (see `from_raw`); the field is read once, without a reference,
        // because the interrupted runtime may be about to write it.
        address(unsafe { (&raw const (*self.frame).exit_runtime_frame).read_volatile() })
    }

    /// The address of the task's frame that called the runtime; `None` while the task runs its own
    /// code. Signal-safe.
    pub fn reenter(&self) -> Option<u64> {
        // SAFETY: as in `exit`.
        address(unsafe { (&raw const (*self.frame).reenter_runtime_frame).read_volatile() })
    }
}

fn address(frame: *mut c_void) -> Option<u64> {
    (!frame.is_null()).then_some(frame.addr() as u64)
}
