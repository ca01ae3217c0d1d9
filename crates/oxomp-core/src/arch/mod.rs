//! What differs between processors: the current-thread slot, the pause hint, the call of user code.
//!
//! Every architecture has one file with the same items; nothing processor-specific lies outside.

use core::ffi::{c_char, c_void};
use core::ptr;

use oxomp_sys::kmpc::ident_t;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
pub mod long_double;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub use aarch64::{call_gomp, call_kmpc, call_task, frame_pointer};
#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{current_slot, set_current_slot};
#[cfg(target_arch = "x86_64")]
pub use x86_64::{call_gomp, call_kmpc, call_task, frame_pointer};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{current_slot, set_current_slot};

pub use crate::gather_words;
#[cfg(target_arch = "x86_64")]
pub use crate::x87_entry;

/// A stack frame as the frame pointer shows it: the same two words on x86_64 and aarch64.
#[repr(C)]
#[derive(Debug)]
struct Frame {
    caller: *mut c_void,
    return_address: *const c_void,
}

/// Where user code called the runtime: the frame of the exported function that it called, and the
/// compiler's description of the place if the call came with one.
///
/// Two registers, taken in the exported function itself and handed down; the return address
/// (`codeptr_ra` of OMPT), the user's frame and the description are only read if a tool, a debugger
/// or the consistency check wants them. Valid as long as the exported function has not returned.
#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    frame: *const Frame,
    location: *const ident_t,
}

impl CallSite {
    /// The place that called the function in which this is expanded.
    #[inline(always)]
    pub fn here() -> Self {
        Self::at_frame(frame_pointer() as *const Frame)
    }

    #[inline(always)]
    const fn at_frame(frame: *const Frame) -> Self {
        CallSite { frame, location: ptr::null() }
    }

    /// The same call, which the compiler describes by `location`.
    ///
    /// # Safety
    /// `location` is null or points to a location whose string is null or NUL-terminated; both are
    /// constants of the program.
    #[inline(always)]
    pub unsafe fn described_by(self, location: *const ident_t) -> Self {
        CallSite { location, ..self }
    }

    /// The compiler's description of the place, a constant of the program; null if there is none.
    pub(crate) fn description(self) -> *const c_char {
        // SAFETY: null or a location of the program (see `described_by`).
        unsafe { self.location.as_ref() }.map_or(ptr::null(), |location| location.psource)
    }

    /// A site from the frame pointer that an assembly entry has set up.
    ///
    /// # Safety
    /// `frame` is the frame pointer of a function of ours that has not returned, with the caller's
    /// frame pointer and the return address at words 0 and 1.
    #[inline(always)]
    pub unsafe fn from_frame(frame: *const c_void) -> Self {
        Self::at_frame(frame as *const Frame)
    }

    /// No user code called: the work of a thread of ours.
    #[inline(always)]
    pub const fn none() -> Self {
        Self::at_frame(ptr::null())
    }

    /// The address in user code to which the call returns; null where no user code called, and where
    /// it left by a jump, at the end of an outlined function, so that the call returns to ours.
    pub fn return_address(self) -> *const c_void {
        if self.frame.is_null() {
            return ptr::null();
        }
        // SAFETY: a non-null site is the live frame of an exported function (see `here`).
        let address = unsafe { (*self.frame).return_address };
        let ours = [&raw const oxomp_after_kmpc, &raw const oxomp_after_gomp];
        if ours.iter().any(|after| after.addr() == address.addr()) {
            return ptr::null();
        }
        address
    }

    /// The frame of the call, an address in the calling thread's stack; 0 where no user code called.
    #[inline(always)]
    pub(crate) fn frame(self) -> usize {
        self.frame.addr()
    }

    /// The user function that called; nothing where no user code called.
    pub fn caller(self) -> Caller {
        if self.frame.is_null() {
            return Caller::Nobody;
        }
        // SAFETY: as in `return_address`.
        let frame = unsafe { (*self.frame).caller };
        let own = self.frame.addr();
        // Code without frame pointers leaves anything there: a frame lies above ours, not far.
        let distance = frame.addr().wrapping_sub(own);
        if distance >= size_of::<Frame>() && distance < FARTHEST_FRAME && frame.addr() % 16 == 0 {
            return Caller::FramePointer(frame);
        }
        Caller::StackAddress(self.frame.wrapping_add(1).cast_mut().cast::<c_void>())
    }
}

unsafe extern "C" {
    /// Where outlined functions return to, in `call_kmpc` and `call_gomp`.
    static oxomp_after_kmpc: u8;
    static oxomp_after_gomp: u8;
}

/// The frame of a user function, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// No user function called.
    Nobody,
    /// Its frame pointer.
    FramePointer(*mut c_void),
    /// It keeps none: its stack pointer at the call.
    StackAddress(*mut c_void),
}

/// A frame farther up than this is taken for a value that is no frame pointer.
const FARTHEST_FRAME: usize = 1 << 26;

/// What looks like the frame of an exported function, for threads of ours that act for a construct
/// which user code on another thread has called.
#[derive(Debug)]
pub(crate) struct BorrowedSite(Frame);

impl BorrowedSite {
    /// The construct's call returns to `return_address`.
    pub(crate) fn new(return_address: *const c_void) -> Self {
        BorrowedSite(Frame { caller: ptr::null_mut(), return_address })
    }

    /// The site, as long as `self` lives.
    pub(crate) fn site(&self) -> CallSite {
        CallSite::at_frame(&raw const self.0)
    }
}
