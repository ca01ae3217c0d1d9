//! The frame of a function, and that of the function which called it.

use core::ffi::c_void;
use core::ptr;

use crate::own::run::frame_pointer;

mod kept;

use kept::keeps_frame_pointer;

/// The two words at a frame pointer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) caller: *mut c_void,
    pub(crate) return_address: *const c_void,
}

/// The greatest distance of a frame pointer from the stack pointer; any other value is data.
const FARTHEST_FRAME: usize = 1 << 26;

/// The frame of a function that keeps a frame pointer, valid until the function returns; or none.
#[derive(Clone, Copy, Debug)]
pub struct Frame(*const Words);

impl Frame {
    /// No frame.
    pub const NONE: Self = Self(ptr::null());

    /// The frame of the function into which this is inlined.
    #[inline(always)]
    #[must_use]
    pub fn here() -> Self {
        Self(frame_pointer().cast())
    }

    /// The frame with these words.
    pub(crate) const fn of(words: *const Words) -> Self {
        Self(words)
    }

    /// The frame that an assembly entry has set up.
    ///
    /// # Safety
    /// `frame` is the frame pointer of a function that has not returned, with the caller's frame
    /// pointer and the return address in words 0 and 1.
    #[inline(always)]
    #[must_use]
    pub unsafe fn from_pointer(frame: *const c_void) -> Self {
        Self(frame.cast())
    }

    /// Whether there is no frame.
    #[inline(always)]
    #[must_use]
    pub fn is_none(self) -> bool {
        self.0.is_null()
    }

    /// The frame pointer; null for none.
    #[inline(always)]
    #[must_use]
    pub fn pointer(self) -> *const c_void {
        self.0.cast()
    }

    /// The address to which the function returns; null for none.
    #[inline(always)]
    #[must_use]
    pub fn return_address(self) -> *const c_void {
        if self.is_none() {
            return ptr::null();
        }
        // SAFETY: the frame of a function that has not returned, by the promise of those who made
        // it.
        unsafe { (*self.0).return_address }
    }

    /// The frame of the function that made the call.
    ///
    /// # Safety
    /// There is a frame, and the function that made the call keeps a frame pointer, as the
    /// runtime's functions do.
    #[inline]
    #[must_use]
    pub unsafe fn outward(self) -> Self {
        // SAFETY: the frame of a function that has not returned; its first word is the frame
        // pointer of the caller, which keeps one (`# Safety`).
        Self(unsafe { (*self.0).caller }.cast_const().cast())
    }

    /// The frame pointer of the function that made the call; `None` if that function keeps none, as
    /// optimized code does: the register then leads to the frame of another function, or is data.
    #[must_use]
    pub fn pointer_of_caller(self) -> Option<*mut c_void> {
        if self.is_none() {
            return None;
        }
        // SAFETY: as in `return_address`.
        let Words { caller, return_address } = unsafe { self.0.read() };
        let stack = self.stack_of_caller();
        // A frame pointer is above the stack pointer and not far away; both are multiples of 16.
        // The rotation moves the low bits of another distance to the top, so one comparison does.
        let above = caller.addr().wrapping_sub(stack.addr());
        let is_near = above.rotate_right(4) < FARTHEST_FRAME >> 4;
        let is_kept =
            is_near && keeps_frame_pointer(return_address.addr(), caller.addr(), stack.addr());
        is_kept.then_some(caller)
    }

    /// An address inside the frame of the function that made the call, if there is a frame.
    #[inline]
    #[must_use]
    pub fn inside_caller(self) -> *mut c_void {
        // A function that calls another one has two words on the stack at least. gdb's plug-in for
        // OMPD counts an address to the frame above it, so the first of them would not do.
        self.stack_of_caller().wrapping_add(1).cast()
    }

    /// The stack pointer of the function that made the call.
    #[inline]
    fn stack_of_caller(self) -> *mut *mut c_void {
        self.0.wrapping_add(1).cast_mut().cast()
    }
}
