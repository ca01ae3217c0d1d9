//! The processor-specific code: the current-thread slot, the frame pointer, the call of the
//! program's code.
//!
//! Every architecture has one file with the same items. No other file of this crate is
//! processor-specific.

use core::ffi::{c_char, c_void};
use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::kmpc::ident_t;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
pub mod long_double;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub use aarch64::{WORDS_IN_REGISTERS, call_gomp, call_kmpc, call_task, frame_pointer};
#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{current_slot, set_current_slot};
#[cfg(target_arch = "x86_64")]
pub use x86_64::{WORDS_IN_REGISTERS, call_gomp, call_kmpc, call_task, frame_pointer};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{current_slot, set_current_slot};

#[cfg(target_arch = "x86_64")]
pub use crate::x87_entry;
pub use crate::{gather_words, pass_words};

/// The two words at a frame pointer, the same on x86_64 and aarch64.
#[repr(C)]
#[derive(Debug)]
struct Frame {
    caller: *mut c_void,
    return_address: *const c_void,
}

/// The call of the runtime by the program: the frame of the exported function that the program
/// called, and the compiler's description of the source location, if the call passed one.
///
/// A call site is two words, taken in the exported function itself and passed down. The runtime
/// reads the return address (`codeptr_ra` of OMPT), the program's frame and the description only
/// for a tool, a debugger or the consistency check. A call site is valid until the exported
/// function returns.
#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    frame: *const Frame,
    location: *const ident_t,
}

impl CallSite {
    /// The call of the function into which this is inlined.
    #[inline(always)]
    pub fn here() -> Self {
        Self::at_frame(frame_pointer() as *const Frame)
    }

    #[inline(always)]
    const fn at_frame(frame: *const Frame) -> Self {
        CallSite { frame, location: ptr::null() }
    }

    /// This call site with the compiler's description `location`.
    ///
    /// # Safety
    /// `location` is null or points to a location whose string is null or NUL-terminated; both are
    /// constants of the program.
    #[inline(always)]
    pub unsafe fn described_by(self, location: *const ident_t) -> Self {
        CallSite { location, ..self }
    }

    /// The compiler's description of the source location, a constant of the program; null if there
    /// is none.
    pub(crate) fn description(self) -> *const c_char {
        // SAFETY: the pointer is null or leads to a constant of the program (see `described_by`).
        unsafe { self.location.as_ref() }.map_or(ptr::null(), |location| location.psource)
    }

    /// A site from the frame pointer that an assembly entry has set up.
    ///
    /// # Safety
    /// `frame` is the frame pointer of a function of the runtime that has not returned, with the
    /// caller's frame pointer and the return address in words 0 and 1.
    #[inline(always)]
    pub unsafe fn from_frame(frame: *const c_void) -> Self {
        Self::at_frame(frame as *const Frame)
    }

    /// This call site without the compiler's description: one word for a slow path that only sets
    /// frames and emits events.
    #[inline(always)]
    pub(crate) fn undescribed(self) -> Self {
        Self::at_frame(self.frame)
    }

    /// The site of work that no call of the program led to: that of a worker.
    #[inline(always)]
    pub const fn none() -> Self {
        Self::at_frame(ptr::null())
    }

    /// The address in the program's code to which the call returns. Null if the program made no
    /// call, and if it made a tail call at the end of an outlined function or of a kernel, so that
    /// the call returns to the runtime or to oxomp's libomptarget.
    #[inline(always)]
    pub fn return_address(self) -> *const c_void {
        if self.frame.is_null() {
            return ptr::null();
        }
        // SAFETY: a pointer that is not null leads to the frame of an exported function that has
        // not returned (see `here`).
        let address = unsafe { (*self.frame).return_address };
        let ours = [&raw const oxomp_after_kmpc, &raw const oxomp_after_gomp];
        // Relaxed: the thread that is in a kernel has stored it, or the one that forked its team.
        let after_kernel = AFTER_KERNEL.load(Relaxed);
        if ours.iter().any(|after| after.addr() == address.addr())
            || address.addr() == after_kernel.addr()
        {
            return ptr::null();
        }
        address
    }

    /// Whether the program made a call; its return address may yet be null.
    #[inline(always)]
    pub(crate) fn is_call(self) -> bool {
        !self.frame.is_null()
    }

    /// The frame of the call, an address in the calling thread's stack; 0 if the program made no
    /// call.
    #[inline(always)]
    pub(crate) fn frame(self) -> usize {
        self.frame.addr()
    }

    /// The function of the program that made the call; `Nobody` if the program made no call.
    pub fn caller(self) -> Caller {
        if self.frame.is_null() {
            return Caller::Nobody;
        }
        // SAFETY: the frame of an exported function that has not returned, as in `return_address`.
        let frame = unsafe { (*self.frame).caller };
        // Code without frame pointers leaves any value in the register. The caller's frame is above
        // this one, and not far away; both are multiples of 16. The rotation moves the low bits of
        // a distance that is none to the top, so one comparison does.
        let above = frame.addr().wrapping_sub(self.frame.addr()).wrapping_sub(size_of::<Frame>());
        if above.rotate_right(4) < FARTHEST_FRAME >> 4 {
            return Caller::FramePointer(frame);
        }
        Caller::StackAddress(self.frame.wrapping_add(1).cast_mut().cast::<c_void>())
    }
}

unsafe extern "C" {
    /// The addresses in `call_kmpc` and `call_gomp` to which outlined functions return.
    static oxomp_after_kmpc: u8;
    static oxomp_after_gomp: u8;
}

/// The address in oxomp's libomptarget to which kernels return.
static AFTER_KERNEL: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Notes the address to which kernels return; it is always the same.
pub(crate) fn kernels_return_to(address: *const c_void) {
    // Relaxed: see `CallSite::return_address`.
    if AFTER_KERNEL.load(Relaxed).addr() != address.addr() {
        AFTER_KERNEL.store(address.cast_mut(), Relaxed);
    }
}

/// The frame of a function of the program, as far as it can be determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The program made no call.
    Nobody,
    /// The frame pointer of the function.
    FramePointer(*mut c_void),
    /// The function keeps no frame pointer: its stack pointer at the call.
    StackAddress(*mut c_void),
}

/// The greatest distance of the caller's frame; a value farther away is no frame pointer.
const FARTHEST_FRAME: usize = 1 << 26;

/// A substitute for the frame of an exported function, for workers that execute a construct which
/// the program called on another thread.
#[derive(Debug)]
pub(crate) struct BorrowedSite(Frame);

impl BorrowedSite {
    /// A site whose call returns to `return_address`.
    pub(crate) fn new(return_address: *const c_void) -> Self {
        BorrowedSite(Frame { caller: ptr::null_mut(), return_address })
    }

    /// The call site, valid as long as `self` lives.
    pub(crate) fn site(&self) -> CallSite {
        CallSite::at_frame(&raw const self.0)
    }
}
