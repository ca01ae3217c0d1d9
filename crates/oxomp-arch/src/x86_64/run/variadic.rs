//! Variadic functions that the program calls (System V ABI).

/// The body of a naked variadic function `(pointer, i32 argc, pointer, word…)`: gathers the `argc`
/// words in memory and calls `$body(pointer, argc, pointer, words, frame)`, an `extern "C"`
/// function.
#[macro_export]
macro_rules! gather_words {
    ($body:path) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "cmp esi, 3",
            "ja 3f",
            // The caller passed up to three words in registers.
            "sub rsp, 32",
            "2:",
            "mov [rsp], rcx",
            "mov [rsp + 8], r8",
            "mov [rsp + 16], r9",
            "mov rcx, rsp",
            "mov r8, rbp",
            "call {body}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_def_cfa rbp, 16",
            // The other words are above the return address, the fourth first.
            "3:",
            "mov eax, esi",
            "lea r10, [8*rax + 15]",
            "and r10, -16",
            "sub rsp, r10",
            "4:",
            "dec eax",
            "mov r10, [rbp + 8*rax - 8]",
            "mov [rsp + 8*rax], r10",
            "cmp eax, 3",
            "ja 4b",
            "jmp 2b",
            ".cfi_endproc",
            body = sym $body,
        )
    };
}

/// The number of words that a caller passes in registers to a variadic function of integers.
pub const WORDS_IN_REGISTERS: usize = 6;

/// The body of a naked variadic function `(word…)` of integers: calls `$body(first, rest, frame)`,
/// an `extern "C"` function, with the addresses of the words that the caller may have passed in
/// registers and of those behind them.
#[macro_export]
macro_rules! pass_words {
    ($body:path) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "push r9",
            "push r8",
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "mov rdi, rsp",
            "lea rsi, [rbp + 16]",
            "mov rdx, rbp",
            "call {body}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            body = sym $body,
        )
    };
}
