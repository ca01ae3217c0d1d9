//! Calls of the system without the C library.

use core::arch::asm;

/// Makes the system call `number` with these arguments. Returns what it returns, an error as a
/// negative number. In contrast to the C library's functions it uses no variable of the thread:
/// errno stays as it is.
///
/// # Safety
/// As the system call asks for.
#[must_use]
pub unsafe fn kernel_call(number: usize, arguments: [usize; 6]) -> isize {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    let result: isize;
    // SAFETY: the kernel changes these registers only, and the memory that the call says.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") first,
            in("rsi") second,
            in("rdx") third,
            in("r10") fourth,
            in("r8") fifth,
            in("r9") sixth,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}
