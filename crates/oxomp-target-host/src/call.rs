//! The call of a kernel: a C function of as many words as the target region has arguments.

use core::arch::naked_asm;
use core::ffi::c_void;

/// The launch environment of a kernel without one.
const NO_ENVIRONMENT: u64 = u64::MAX;
/// The words that the architecture passes in registers.
#[cfg(target_arch = "x86_64")]
const IN_REGISTERS: usize = 6;
#[cfg(target_arch = "aarch64")]
const IN_REGISTERS: usize = 8;

unsafe extern "C" {
    /// The address in `call` to which kernels return.
    static oxomp_after_kernel: c_void;
}

/// The call of a kernel.
#[derive(Debug)]
pub(crate) struct KernelCall {
    function: *const c_void,
    /// The arguments, filled up to at least as many words as there are registers; the kernel takes
    /// the first ones.
    words: Vec<u64>,
}

impl KernelCall {
    /// The call of the kernel at `function`.
    pub(crate) fn new(function: *const c_void, with_environment: bool, arguments: &[u64]) -> Self {
        let mut words = Vec::with_capacity(IN_REGISTERS.max(arguments.len() + 1));
        if with_environment {
            words.push(NO_ENVIRONMENT);
        }
        words.extend_from_slice(arguments);
        words.resize(words.len().max(IN_REGISTERS), 0);
        Self { function, words }
    }

    /// Where calls of kernels return to.
    pub(crate) fn returns_to() -> *const c_void {
        &raw const oxomp_after_kernel
    }

    /// Performs the call whose address `this` is.
    ///
    /// # Safety
    /// `this` is the address of a call, and its kernel takes these arguments.
    pub(crate) unsafe extern "C" fn perform(this: *mut c_void) {
        // SAFETY: the caller's own promise (`# Safety`).
        let Self { function, words } = unsafe { &*this.cast::<Self>() };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { call(*function, words.as_ptr(), words.len() - IN_REGISTERS) };
    }
}

/// Calls `function` with the words: the first in registers, `on_stack` more on the stack.
///
/// # Safety
/// The function takes such arguments.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn call(function: *const c_void, words: *const u64, on_stack: usize) {
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

/// Calls `function` with the words: the first in registers, `on_stack` more on the stack.
///
/// # Safety
/// The function takes such arguments.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn call(function: *const c_void, words: *const u64, on_stack: usize) {
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

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::ffi::c_void;

    use super::KernelCall;

    /// # Safety
    /// As for `KernelCall::perform`.
    unsafe fn kernel(function: *const c_void, with_environment: bool, arguments: &[u64]) {
        let mut call = KernelCall::new(function, with_environment, arguments);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { KernelCall::perform((&raw mut call).cast()) };
    }

    thread_local! {
        static SUM: Cell<u64> = const { Cell::new(0) };
    }

    extern "C" fn of_two(environment: u64, first: u64) {
        assert_eq!(environment, u64::MAX);
        SUM.set(first);
    }

    extern "C" fn of_nine(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, i: u64) {
        SUM.set([a, b, c, d, e, f, g, h, i].iter().fold(0, |sum, word| sum * 10 + word));
    }

    #[test]
    fn arguments_arrive_in_registers_and_on_the_stack() {
        // SAFETY: the functions take these arguments.
        unsafe { kernel(of_two as *const _, true, &[7]) };
        assert_eq!(SUM.get(), 7);
        // SAFETY: as above.
        unsafe { kernel(of_nine as *const _, false, &[1, 2, 3, 4, 5, 6, 7, 8, 9]) };
        assert_eq!(SUM.get(), 123_456_789);
    }

    #[test]
    fn an_odd_number_of_words_on_the_stack_arrives_too() {
        extern "C" fn of_seven(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64) {
            SUM.set([a, b, c, d, e, f, g].iter().fold(0, |sum, word| sum * 10 + word));
        }
        // SAFETY: the function takes these arguments.
        unsafe { kernel(of_seven as *const _, false, &[1, 2, 3, 4, 5, 6, 7]) };
        assert_eq!(SUM.get(), 1_234_567);
    }
}
