//! Calls of the program's functions (System V ABI).

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
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        // The called function's frame lies below the address that stands for this one.
        "sub rsp, 16",
        "mov [r9], rbp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov r10, rcx",
        "mov r11, r8",
        // Words beyond the fourth go to the stack, the last one first; the stack stays 16-byte
        // aligned.
        "cmp r10, 4",
        "jbe 3f",
        "test r10, 1",
        "jz 2f",
        "sub rsp, 8",
        "2:",
        "push qword ptr [r11 + 8*r10 - 8]",
        "dec r10",
        "cmp r10, 4",
        "ja 2b",
        "3:",
        "cmp r10, 4",
        "jb 4f",
        "mov r9, [r11 + 24]",
        "4:",
        "cmp r10, 3",
        "jb 5f",
        "mov r8, [r11 + 16]",
        "5:",
        "cmp r10, 2",
        "jb 6f",
        "mov rcx, [r11 + 8]",
        "6:",
        "test r10, r10",
        "jz 7f",
        "mov rdx, [r11]",
        "7:",
        "mov r10, rax",
        "xor eax, eax",
        "call r10",
        ".hidden oxomp_after_kmpc",
        ".globl oxomp_after_kmpc",
        "oxomp_after_kmpc:",
        "leave",
        ".cfi_def_cfa rsp, 8",
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
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        // The called function's frame lies below the address that stands for this one.
        "sub rsp, 16",
        "mov [rdx], rbp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        ".hidden oxomp_after_gomp",
        ".globl oxomp_after_gomp",
        "oxomp_after_gomp:",
        "leave",
        ".cfi_def_cfa rsp, 8",
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
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        // The called function's frame lies below the address that stands for this one.
        "sub rsp, 16",
        "mov [rcx], rbp",
        "mov rax, rdi",
        "mov edi, esi",
        "mov rsi, rdx",
        "call rax",
        ".hidden oxomp_after_task",
        ".globl oxomp_after_task",
        "oxomp_after_task:",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}
