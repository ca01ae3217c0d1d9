//! A stopped thread's registers.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;

use crate::Lwp;
use crate::request::checked;

/// General registers of x86_64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// By DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, rip.
    pub by_dwarf: [u64; 17],
    /// The number of the system call in which the thread stopped; `u64::MAX` outside of any.
    pub orig_rax: u64,
    /// Base of the thread's control block.
    pub fs_base: u64,
}

impl Registers {
    /// From the 27 words of the kernel's `user_regs_struct`, which core files hold too.
    #[must_use]
    pub fn from_words(words: &[u64; 27]) -> Self {
        let [r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi, ..] = *words;
        let (orig_rax, rip, rsp, fs_base) = (words[15], words[16], words[19], words[21]);
        Self {
            by_dwarf: [
                rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, rip,
            ],
            orig_rax,
            fs_base,
        }
    }

    /// The address of the next instruction.
    #[must_use]
    pub fn pc(&self) -> u64 {
        self.by_dwarf[16]
    }

    /// The stack pointer.
    #[must_use]
    pub fn sp(&self) -> u64 {
        self.by_dwarf[7]
    }

    /// The result of a system call that has ended, or that the stop has interrupted.
    #[must_use]
    pub fn system_call_result(&self) -> i64 {
        self.by_dwarf[0].cast_signed()
    }

    /// The arguments of a system call in which the thread stopped: the kernel keeps their
    /// registers.
    #[must_use]
    pub fn system_call_arguments(&self) -> [u64; 6] {
        [5, 4, 1, 10, 8, 9].map(|register| self.by_dwarf[register])
    }
}

/// The registers of the stopped tracee `lwp`.
///
/// # Errors
///
/// The errors of `PTRACE_GETREGS`, and an error on any architecture but x86_64.
#[cfg(target_arch = "x86_64")]
pub fn registers(lwp: Lwp) -> io::Result<Registers> {
    const { assert!(size_of::<libc::user_regs_struct>() == size_of::<[u64; 27]>()) };
    let mut words = MaybeUninit::<[u64; 27]>::zeroed();
    // SAFETY: the kernel writes one user_regs_struct; it has the size of the array, as asserted.
    checked(unsafe {
        libc::ptrace(
            libc::PTRACE_GETREGS,
            lwp,
            ptr::null_mut::<libc::c_void>(),
            words.as_mut_ptr().cast::<libc::c_void>(),
        )
    })?;
    // SAFETY: every bit pattern is a valid array of integers, and it began as zeroes.
    Ok(Registers::from_words(&unsafe { words.assume_init() }))
}

/// The registers of the stopped tracee `lwp`.
///
/// # Errors
///
/// Always: registers are known for x86_64 only.
#[cfg(not(target_arch = "x86_64"))]
pub fn registers(_lwp: Lwp) -> io::Result<Registers> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "registers are read on x86_64 only"))
}

#[cfg(test)]
mod tests {
    use super::Registers;

    #[test]
    fn the_words_of_the_kernel_are_put_in_the_order_of_dwarf() {
        let words: [u64; 27] = std::array::from_fn(|index| index as u64);
        let registers = Registers::from_words(&words);
        assert_eq!(registers.pc(), 16);
        assert_eq!(registers.sp(), 19);
        assert_eq!(registers.by_dwarf[..7], [10, 12, 11, 5, 13, 14, 4]);
        assert_eq!(registers.by_dwarf[8..16], [9, 8, 7, 6, 3, 2, 1, 0]);
        assert_eq!((registers.orig_rax, registers.fs_base), (15, 21));
        // rdi, rsi, rdx, r10, r8, r9; rax.
        assert_eq!(registers.system_call_arguments(), [14, 13, 12, 7, 9, 8]);
        assert_eq!(registers.system_call_result(), 10);
    }
}
