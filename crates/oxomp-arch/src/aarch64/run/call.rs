//! Calls of the program's functions (AAPCS64).

use core::arch::naked_asm;
use core::ffi::c_void;

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
