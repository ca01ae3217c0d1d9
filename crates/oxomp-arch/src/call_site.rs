//! The program's call of the runtime.

use core::ffi::{c_char, c_void};
use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::kmpc::ident_t;

use crate::frame::{Frame, Words};

/// The call of the runtime by the program: the frame of the exported function that the program
/// called, and the compiler's description of the source location, if the call passed one.
///
/// A call site is two words, taken in the exported function itself and passed down. The runtime
/// reads the return address (`codeptr_ra` of OMPT), the program's frame and the description only
/// for a tool, a debugger or the consistency check. A call site is valid until the exported
/// function returns.
#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    frame: Frame,
    location: *const ident_t,
}

impl CallSite {
    /// The call of the function into which this is inlined.
    #[inline(always)]
    pub fn here() -> Self {
        Self::at_frame(Frame::here())
    }

    #[inline(always)]
    const fn at_frame(frame: Frame) -> Self {
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
    #[inline]
    pub fn description(self) -> *const c_char {
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
        // SAFETY: the caller's own promise (`# Safety`).
        Self::at_frame(unsafe { Frame::from_pointer(frame) })
    }

    /// This call site without the compiler's description: one word for a slow path that only sets
    /// frames and emits events.
    #[inline(always)]
    pub fn undescribed(self) -> Self {
        Self::at_frame(self.frame)
    }

    /// The site of work that no call of the program led to: that of a worker.
    #[inline(always)]
    pub const fn none() -> Self {
        Self::at_frame(Frame::NONE)
    }

    /// The address in the program's code to which the call returns. Null if the program made no
    /// call, and if it made a tail call at the end of an outlined function or of a kernel, so that
    /// the call returns to the runtime or to oxomp's libomptarget.
    #[inline(always)]
    pub fn return_address(self) -> *const c_void {
        if self.frame.is_none() {
            return ptr::null();
        }
        let address = self.frame.return_address();
        if is_in_runtime(address) { ptr::null() } else { address }
    }

    /// Whether the program made a call; its return address may yet be null.
    #[inline(always)]
    pub fn is_call(self) -> bool {
        !self.frame.is_none()
    }

    /// The frame of the call, an address in the calling thread's stack; 0 if the program made no
    /// call.
    #[inline(always)]
    pub fn frame(self) -> usize {
        self.frame.pointer().addr()
    }

    /// The frame of the function that made the call; `Nobody` if the program made no call.
    pub fn caller(self) -> Caller {
        if self.frame.is_none() {
            return Caller::Nobody;
        }
        if is_in_runtime(self.frame.return_address()) {
            return Caller::TailCall(self.frame.inside_caller());
        }
        match self.frame.pointer_of_caller() {
            Some(pointer) => Caller::FramePointer(pointer),
            None => Caller::StackAddress(self.frame.inside_caller()),
        }
    }
}

/// Whether a call returns to the runtime or to oxomp's libomptarget. The program made it as the
/// last act of an outlined function, of a task or of a kernel, whose frame was gone by then.
#[inline(always)]
fn is_in_runtime(return_address: *const c_void) -> bool {
    let ours =
        [&raw const oxomp_after_kmpc, &raw const oxomp_after_gomp, &raw const oxomp_after_task];
    // Relaxed: the thread that is in a kernel, or the one that forked its team, has stored it.
    let after_kernel = AFTER_KERNEL.load(Relaxed);
    ours.iter().any(|after| after.addr() == return_address.addr())
        || return_address.addr() == after_kernel.addr()
}

unsafe extern "C" {
    /// The addresses to which outlined functions return: in `call_kmpc`, `call_gomp`, `call_task`.
    static oxomp_after_kmpc: u8;
    static oxomp_after_gomp: u8;
    static oxomp_after_task: u8;
}

/// The address in oxomp's libomptarget to which kernels return.
static AFTER_KERNEL: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Notes the address to which kernels return; it is always the same.
#[inline]
pub fn kernels_return_to(address: *const c_void) {
    // Relaxed: see `CallSite::return_address`.
    if AFTER_KERNEL.load(Relaxed).addr() != address.addr() {
        AFTER_KERNEL.store(address.cast_mut(), Relaxed);
    }
}

/// The frame of the function that has called the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The program made no call.
    Nobody,
    /// The frame pointer of the function.
    FramePointer(*mut c_void),
    /// The function keeps no frame pointer: an address in its frame, above its stack pointer at the
    /// call.
    StackAddress(*mut c_void),
    /// The function had given up its frame before: an address in the frame of the runtime that had
    /// called the function.
    TailCall(*mut c_void),
}

/// A substitute for the frame of an exported function, for workers that execute a construct which
/// the program called on another thread.
#[derive(Debug)]
pub struct BorrowedSite(Words);

impl BorrowedSite {
    /// A site whose call returns to `return_address`.
    #[inline]
    pub fn new(return_address: *const c_void) -> Self {
        BorrowedSite(Words { caller: ptr::null_mut(), return_address })
    }

    /// The call site, valid as long as `self` lives.
    #[inline]
    pub fn site(&self) -> CallSite {
        CallSite::at_frame(Frame::of(&raw const self.0))
    }
}
