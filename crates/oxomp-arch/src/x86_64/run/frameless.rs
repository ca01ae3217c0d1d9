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
        "sub rsp, 8",
        ".cfi_def_cfa_offset 16",
        "mov rax, [rdi]",
        "mov rsi, [rdi + 16]",
        "mov rdx, [rdi + 24]",
        "mov rcx, [rdi + 32]",
        "mov rdi, [rdi + 8]",
        "call rax",
        "add rsp, 8",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
    )
}
