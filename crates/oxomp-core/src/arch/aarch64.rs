//! aarch64, AAPCS64.

use core::arch::{asm, global_asm, naked_asm};
use core::ffi::c_void;
use core::mem::MaybeUninit;

// The current-thread slot: one pointer of initial-exec TLS, as on x86_64.
global_asm!(
    ".pushsection .tbss.oxomp_current,\"awT\",@nobits",
    ".hidden oxomp_current",
    ".globl oxomp_current",
    ".type oxomp_current,@object",
    ".size oxomp_current,8",
    ".p2align 3",
    "oxomp_current:",
    ".zero 8",
    ".popsection",
);

/// The calling thread's slot.
#[inline(always)]
pub(crate) fn current_slot() -> *mut c_void {
    let value: *mut c_void;
    // SAFETY: reads the runtime's TLS slot, whose offset is in the GOT entry that the linker makes.
    unsafe {
        asm!(
            "adrp {1}, :gottprel:oxomp_current",
            "ldr {1}, [{1}, #:gottprel_lo12:oxomp_current]",
            "mrs {0}, tpidr_el0",
            "ldr {0}, [{0}, {1}]",
            out(reg) value,
            out(reg) _,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

/// Sets the calling thread's slot.
#[inline(always)]
pub(crate) fn set_current_slot(value: *mut c_void) {
    // SAFETY: writes the runtime's TLS slot.
    unsafe {
        asm!(
            "adrp {1}, :gottprel:oxomp_current",
            "ldr {1}, [{1}, #:gottprel_lo12:oxomp_current]",
            "mrs {2}, tpidr_el0",
            "str {0}, [{2}, {1}]",
            in(reg) value,
            out(reg) _,
            out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

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
            "mov {0}, x29",
            lateout(reg) frame,
            in(reg) (&raw const anchor).expose_provenance(),
            options(nomem, nostack, preserves_flags),
        );
    }
    frame
}

/// Whether a function keeps a frame pointer. It has `frame` in the register; its frame begins at
/// the stack pointer `stack` and ends at `end`, the stack pointer of its caller. A frame pointer
/// leads to two words anywhere in the frame: the caller's frame pointer and the return address.
pub(super) const fn frame_is_kept(frame: usize, stack: usize, end: usize) -> bool {
    stack <= frame && frame + 16 <= end
}

/// Calls `outlined(&gtid, &bound, words[0], …, words[argc-1])`, the form of clang's and flang's
/// outlined functions, from a new frame, whose address is stored to `exit_frame`.
///
/// # Safety
/// `outlined` is such a function and takes `argc` integer-class words; `words` holds as many;
/// `exit_frame` is writable.
#[unsafe(naked)]
pub unsafe extern "C" fn call_kmpc(
    outlined: *const c_void,
    gtid: *mut i32,
    bound: *mut i32,
    argc: usize,
    words: *const usize,
    exit_frame: *mut *mut c_void,
) {
    naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset w30, -8",
        ".cfi_offset w29, -16",
        "mov x29, sp",
        ".cfi_def_cfa w29, 16",
        // The called function's frame lies below the address that stands for this one.
        "sub sp, sp, #16",
        "str x29, [x5]",
        "mov x8, x0",
        "mov x0, x1",
        "mov x1, x2",
        "mov x9, x3",
        "mov x10, x4",
        // Words beyond the sixth go to the stack; the stack stays 16-byte aligned.
        "subs x11, x9, #6",
        "b.ls 3f",
        "add x12, x11, #1",
        "and x12, x12, #-2",
        "sub sp, sp, x12, lsl #3",
        "add x13, x10, #48",
        "mov x14, sp",
        "2:",
        "ldr x15, [x13], #8",
        "str x15, [x14], #8",
        "subs x11, x11, #1",
        "b.ne 2b",
        "3:",
        "cmp x9, #6",
        "b.lo 4f",
        "ldr x7, [x10, #40]",
        "4:",
        "cmp x9, #5",
        "b.lo 5f",
        "ldr x6, [x10, #32]",
        "5:",
        "cmp x9, #4",
        "b.lo 6f",
        "ldr x5, [x10, #24]",
        "6:",
        "cmp x9, #3",
        "b.lo 7f",
        "ldr x4, [x10, #16]",
        "7:",
        "cmp x9, #2",
        "b.lo 8f",
        "ldr x3, [x10, #8]",
        "8:",
        "cbz x9, 9f",
        "ldr x2, [x10]",
        "9:",
        "blr x8",
        ".hidden oxomp_after_kmpc",
        ".globl oxomp_after_kmpc",
        "oxomp_after_kmpc:",
        "mov sp, x29",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa wsp, 0",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls `outlined(data)`, the form of gcc's outlined functions, from a new frame, whose address is
/// stored to `exit_frame`.
///
/// # Safety
/// `outlined` is such a function and `data` the argument that the compiler passed for it;
/// `exit_frame` is writable.
#[unsafe(naked)]
pub unsafe extern "C" fn call_gomp(
    outlined: *const c_void,
    data: *mut c_void,
    exit_frame: *mut *mut c_void,
) {
    naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset w30, -8",
        ".cfi_offset w29, -16",
        "mov x29, sp",
        ".cfi_def_cfa w29, 16",
        // The called function's frame lies below the address that stands for this one.
        "sub sp, sp, #16",
        "str x29, [x2]",
        "mov x8, x0",
        "mov x0, x1",
        "blr x8",
        ".hidden oxomp_after_gomp",
        ".globl oxomp_after_gomp",
        "oxomp_after_gomp:",
        "mov sp, x29",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa wsp, 0",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls `entry(gtid, task)`, the form of clang's and flang's task functions, from a new frame,
/// whose address is stored to `exit_frame`.
///
/// # Safety
/// `entry` is such a function and `task` the task block that the compiler laid out for it;
/// `exit_frame` is writable.
#[unsafe(naked)]
pub unsafe extern "C" fn call_task(
    entry: *const c_void,
    gtid: i32,
    task: *mut c_void,
    exit_frame: *mut *mut c_void,
) {
    naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset w30, -8",
        ".cfi_offset w29, -16",
        "mov x29, sp",
        ".cfi_def_cfa w29, 16",
        // The called function's frame lies below the address that stands for this one.
        "sub sp, sp, #16",
        "str x29, [x3]",
        "mov x8, x0",
        "mov w0, w1",
        "mov x1, x2",
        "blr x8",
        ".hidden oxomp_after_task",
        ".globl oxomp_after_task",
        "oxomp_after_task:",
        "mov sp, x29",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa wsp, 0",
        "ret",
        ".cfi_endproc",
    )
}

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
