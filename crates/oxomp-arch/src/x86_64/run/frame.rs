//! The frame pointer.

use core::arch::asm;
use core::ffi::c_void;
use core::mem::MaybeUninit;

/// The frame pointer of the function in which this is expanded.
///
/// The assembly takes the address of a local as an unused operand. So the function has set up its
/// frame where the register is read (the compiler would otherwise set it up as late as it can), and
/// keeps it: the function makes no tail call, and a walk along the frames from a callee finds its
/// frame. The assembly is not `pure`, so that this holds on all paths, also if nothing uses the
/// result.
#[inline(always)]
pub fn frame_pointer() -> *const c_void {
    let anchor = MaybeUninit::<u8>::uninit();
    let frame: *const c_void;
    // SAFETY: reads a register; the whole workspace is compiled with frame pointers.
    unsafe {
        asm!(
            "/* {1} */",
            "mov {0}, rbp",
            lateout(reg) frame,
            in(reg) (&raw const anchor).expose_provenance(),
            options(nomem, nostack, preserves_flags),
        );
    }
    frame
}

/// Whether a function keeps a frame pointer. It has `frame` in the register; its frame begins at
/// the stack pointer `stack` and ends at `end`, the stack pointer of its caller. A frame pointer
/// leads to the two words at the frame's end: the caller's frame pointer and the return address.
pub(crate) const fn frame_is_kept(frame: usize, _stack: usize, end: usize) -> bool {
    frame + 16 == end
}
