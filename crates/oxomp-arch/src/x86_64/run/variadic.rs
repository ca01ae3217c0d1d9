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

/// The body of a naked variadic function with `$named` named arguments, one or two words: calls
/// `$body(word, word, list)`, an `extern "C"` function, with the first two words and the address of
/// a `va_list` of what follows the named arguments. The list is valid until `$body` returns.
#[macro_export]
macro_rules! pass_list {
    ($body:path, $named:literal) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            // The registers, and behind them the list.
            "sub rsp, 208",
            "mov [rsp], rdi",
            "mov [rsp + 8], rsi",
            "mov [rsp + 16], rdx",
            "mov [rsp + 24], rcx",
            "mov [rsp + 32], r8",
            "mov [rsp + 40], r9",
            "movaps [rsp + 48], xmm0",
            "movaps [rsp + 64], xmm1",
            "movaps [rsp + 80], xmm2",
            "movaps [rsp + 96], xmm3",
            "movaps [rsp + 112], xmm4",
            "movaps [rsp + 128], xmm5",
            "movaps [rsp + 144], xmm6",
            "movaps [rsp + 160], xmm7",
            "mov dword ptr [rsp + 176], {taken}",
            "mov dword ptr [rsp + 180], 48",
            "lea rax, [rbp + 16]",
            "mov [rsp + 184], rax",
            "mov [rsp + 192], rsp",
            "lea rdx, [rsp + 176]",
            "call {body}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            body = sym $body,
            taken = const 8 * $named,
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
