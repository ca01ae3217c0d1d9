//! The call of a C function with any number of words.

use core::arch::naked_asm;
use core::ffi::c_void;

/// Calls `function(words[0], words[1], …)`: the first [`WORDS_IN_REGISTERS`] words in registers,
/// `on_stack` more on the stack. The call returns to [`words_return_to`].
///
/// [`WORDS_IN_REGISTERS`]: super::variadic::WORDS_IN_REGISTERS
/// [`words_return_to`]: crate::words_return_to
///
/// # Safety
/// `function` is a C function of at most `WORDS_IN_REGISTERS + on_stack` integers and pointers,
/// and may be called with these; `words` has all of them.
#[unsafe(naked)]
pub unsafe extern "C" fn call_words(function: *const c_void, words: *const u64, on_stack: usize) {
    naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset x29, -16",
        ".cfi_offset x30, -8",
        "mov x29, sp",
        ".cfi_def_cfa_register x29",
        "mov x16, x0",
        "mov x17, x1",
        // The stack is aligned at the call if the number of words there is even.
        "add x9, x2, #1",
        "and x9, x9, #-2",
        "sub sp, sp, x9, lsl #3",
        "add x10, x17, #64",
        "cbz x2, 3f",
        "2:",
        "sub x2, x2, #1",
        "ldr x11, [x10, x2, lsl #3]",
        "str x11, [sp, x2, lsl #3]",
        "cbnz x2, 2b",
        "3:",
        "ldp x0, x1, [x17]",
        "ldp x2, x3, [x17, #16]",
        "ldp x4, x5, [x17, #32]",
        "ldp x6, x7, [x17, #48]",
        "blr x16",
        ".hidden oxomp_after_kernel",
        ".globl oxomp_after_kernel",
        "oxomp_after_kernel:",
        "mov sp, x29",
        ".cfi_def_cfa_register sp",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa_offset 0",
        ".cfi_restore x29",
        ".cfi_restore x30",
        "ret",
        ".cfi_endproc",
    )
}
