//! Variadic functions that the program calls (AAPCS64).

/// The body of a naked variadic function `(pointer, i32 argc, pointer, word…)`: gathers the `argc`
/// words in memory and calls `$body(pointer, argc, pointer, words, frame)`, an `extern "C"`
/// function.
#[macro_export]
macro_rules! gather_words {
    ($body:path) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "stp x29, x30, [sp, #-16]!",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset w30, -8",
            ".cfi_offset w29, -16",
            "mov x29, sp",
            ".cfi_def_cfa w29, 16",
            "mov w8, w1",
            "cmp w8, #5",
            "b.hi 3f",
            // The caller passed up to five words in registers.
            "sub sp, sp, #48",
            "2:",
            "stp x3, x4, [sp]",
            "stp x5, x6, [sp, #16]",
            "str x7, [sp, #32]",
            "mov x3, sp",
            "mov x4, x29",
            "bl {body}",
            "mov sp, x29",
            "ldp x29, x30, [sp], #16",
            ".cfi_def_cfa wsp, 0",
            "ret",
            ".cfi_def_cfa w29, 16",
            // The other words are above the frame, the sixth first.
            "3:",
            "lsl x9, x8, #3",
            "add x9, x9, #15",
            "and x9, x9, #-16",
            "sub sp, sp, x9",
            "add x10, x29, #16",
            "add x11, sp, #40",
            "sub w8, w8, #5",
            "4:",
            "ldr x12, [x10], #8",
            "str x12, [x11], #8",
            "subs w8, w8, #1",
            "b.ne 4b",
            "b 2b",
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
            "stp x29, x30, [sp, #-16]!",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset w30, -8",
            ".cfi_offset w29, -16",
            "mov x29, sp",
            ".cfi_def_cfa w29, 16",
            // The registers, and behind them the list.
            "sub sp, sp, #224",
            "stp x0, x1, [sp]",
            "stp x2, x3, [sp, #16]",
            "stp x4, x5, [sp, #32]",
            "stp x6, x7, [sp, #48]",
            "stp q0, q1, [sp, #64]",
            "stp q2, q3, [sp, #96]",
            "stp q4, q5, [sp, #128]",
            "stp q6, q7, [sp, #160]",
            "add x9, x29, #16",
            "str x9, [sp, #192]",
            "add x9, sp, #64",
            "str x9, [sp, #200]",
            "add x9, sp, #192",
            "str x9, [sp, #208]",
            "mov w9, #{left}",
            "str w9, [sp, #216]",
            "mov w9, #-128",
            "str w9, [sp, #220]",
            "add x2, sp, #192",
            "bl {body}",
            "mov sp, x29",
            "ldp x29, x30, [sp], #16",
            ".cfi_def_cfa wsp, 0",
            "ret",
            ".cfi_endproc",
            body = sym $body,
            left = const 8 * $named - 64,
        )
    };
}

/// The number of words that a caller passes in registers to a variadic function of integers.
pub const WORDS_IN_REGISTERS: usize = 8;

/// The body of a naked variadic function `(word…)` of integers: calls `$body(first, rest, frame)`,
/// an `extern "C"` function, with the addresses of the words that the caller may have passed in
/// registers and of those behind them.
#[macro_export]
macro_rules! pass_words {
    ($body:path) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "stp x29, x30, [sp, #-16]!",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset w30, -8",
            ".cfi_offset w29, -16",
            "mov x29, sp",
            ".cfi_def_cfa w29, 16",
            "stp x6, x7, [sp, #-16]!",
            "stp x4, x5, [sp, #-16]!",
            "stp x2, x3, [sp, #-16]!",
            "stp x0, x1, [sp, #-16]!",
            "mov x0, sp",
            "add x1, x29, #16",
            "mov x2, x29",
            "bl {body}",
            "mov sp, x29",
            "ldp x29, x30, [sp], #16",
            ".cfi_def_cfa wsp, 0",
            "ret",
            ".cfi_endproc",
            body = sym $body,
        )
    };
}
