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
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "mov r11, rdi",
        "mov r10, rsi",
        // The stack is aligned at the call if the number of words there is even.
        "lea rax, [rdx + 1]",
        "and rax, -2",
        "shl rax, 3",
        "sub rsp, rax",
        "test rdx, rdx",
        "jz 3f",
        "2:",
        "mov rax, [r10 + 40 + rdx*8]",
        "mov [rsp - 8 + rdx*8], rax",
        "dec rdx",
        "jnz 2b",
        "3:",
        "mov rdi, [r10]",
        "mov rsi, [r10 + 8]",
        "mov rdx, [r10 + 16]",
        "mov rcx, [r10 + 24]",
        "mov r8, [r10 + 32]",
        "mov r9, [r10 + 40]",
        "xor eax, eax",
        "call r11",
        ".hidden oxomp_after_kernel",
        ".globl oxomp_after_kernel",
        "oxomp_after_kernel:",
        "leave",
        ".cfi_def_cfa rsp, 8",
        ".cfi_restore rbp",
        "ret",
        ".cfi_endproc",
    )
}
