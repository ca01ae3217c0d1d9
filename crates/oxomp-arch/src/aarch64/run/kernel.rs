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
    // SAFETY: the kernel changes the first register only, and the memory that the call says.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") first => result,
            in("x1") second,
            in("x2") third,
            in("x3") fourth,
            in("x4") fifth,
            in("x5") sixth,
            options(nostack),
        );
    }
    result
}
