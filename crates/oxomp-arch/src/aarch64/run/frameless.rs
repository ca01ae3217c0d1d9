//! A call from a function that keeps no frame pointer.

use core::arch::naked_asm;
use core::ffi::c_void;

/// Makes the call at `call`, and keeps no frame pointer meanwhile: the register has what the caller
/// left there.
///
/// # Safety
/// `call` is the address of a [`FramelessCall`](crate::FramelessCall) whose function may be called
/// with these words.
#[unsafe(naked)]
pub unsafe extern "C" fn call_frameless(call: *mut c_void) {
    naked_asm!(
        ".cfi_startproc",
        "str x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset w30, -16",
        "ldr x8, [x0]",
        "ldp x1, x2, [x0, #16]",
        "ldr x3, [x0, #32]",
        "ldr x0, [x0, #8]",
        "blr x8",
        "ldr x30, [sp], #16",
        "ret",
        ".cfi_endproc",
    )
}
