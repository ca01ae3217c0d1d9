//! Stacks: calls on another one, and what the kernel needs of one.

use core::arch::asm;
use core::ffi::c_void;

/// Calls `act` with `data` on the stack that ends at `top`.
///
/// # Safety
/// `top` is a multiple of 16, the end of memory that nothing else uses meanwhile, and `act` does
/// not unwind.
#[inline(always)]
pub unsafe fn call_on_stack(
    top: *mut u8,
    act: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    // SAFETY: the stack pointer is kept in a register that the callee preserves, and is back before
    // anything else uses it.
    unsafe {
        asm!(
            "mov x20, sp",
            "mov sp, {top}",
            "blr {act}",
            "mov sp, x20",
            top = in(reg) top,
            act = in(reg) act,
            in("x0") data,
            out("x20") _,
            clobber_abi("C"),
        );
    }
}

/// The bytes that the kernel needs on a stack for a signal of this process.
#[must_use]
pub fn signal_bytes() -> u64 {
    const AT_MINSIGSTKSZ: libc::c_ulong = 51;
    /// The kernel's least, where it does not tell.
    const LEAST: u64 = 5120;
    // SAFETY: the call only reads the auxiliary vector.
    match unsafe { libc::getauxval(AT_MINSIGSTKSZ) } {
        0 => LEAST,
        bytes => bytes,
    }
}
