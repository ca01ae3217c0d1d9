//! Registers, by DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15.

use crate::read::StoppedCall;

/// The words of the kernel's `user_regs_struct`.
pub(crate) const WORDS: usize = 27;

/// The number of general registers.
pub const GENERAL: usize = 16;
/// The number of the frame pointer.
pub const FRAME_POINTER: usize = 6;
/// The number of the stack pointer.
pub const STACK_POINTER: usize = 7;
/// The register in which a call leaves its return address; `None` if a call pushes it.
pub const LINK: Option<usize> = None;
/// The number of the return address's column.
pub const RETURN_ADDRESS: u16 = 16;
/// The registers that a function leaves to its caller as they were, unless its table tells of
/// another place: rbx, rbp, r12 to r15.
pub const PRESERVED: [usize; 6] = [3, FRAME_POINTER, 12, 13, 14, 15];

/// The code to which the handler of a signal returns, where no table describes it, and how far
/// above the stack pointer the kernel keeps there the words of the registers of the interrupted
/// code. Here the code is one of the C library, and has a table.
pub const SIGNAL_RETURN: Option<([u8; 8], u64)> = None;

/// The register of a system call's result: rax.
const RESULT: usize = 0;
/// What the kernel notes in it for a call that it is to make anew: ERESTARTSYS, ERESTARTNOINTR,
/// ERESTARTNOHAND and ERESTART_RESTARTBLOCK.
const RESTARTED: [i64; 4] = [-512, -513, -514, -516];
/// The registers of a system call's arguments: rdi, rsi, rdx, r10, r8, r9.
pub(crate) const ARGUMENTS: [usize; 6] = [5, 4, 1, 10, 8, 9];

/// From the kernel's words: the general registers, the address of the next instruction, and the
/// number of the system call.
pub(crate) fn from_words(words: &[u64; WORDS]) -> ([u64; GENERAL], u64, Option<u64>) {
    let [r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi, ..] = *words;
    let (orig_rax, rip, rsp) = (words[15], words[16], words[19]);
    let general = [rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15];
    // The kernel keeps -1 there, sometimes of four bytes, outside of system calls.
    let system_call = Some(orig_rax).filter(|&call| call < u64::from(u32::MAX));
    (general, rip, system_call)
}

/// The system call in which a thread stopped, which the kernel has noted. A thread that another one
/// had woken before has the call's result in its register.
pub(crate) fn stopped_call(
    noted: Option<u64>,
    general: &[u64; GENERAL],
    _: u64,
    _: &dyn Fn(u64) -> Option<[u8; 4]>,
) -> Option<StoppedCall> {
    let restarts = RESTARTED.contains(&general[RESULT].cast_signed());
    noted.map(|number| StoppedCall { number, restarts })
}

/// The address in a word that may have more in its upper bits; there is no more.
#[must_use]
pub const fn code_address(word: u64) -> u64 {
    word
}

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::read::{Registers, StoppedCall};

    #[test]
    fn the_words_of_the_kernel_are_put_in_the_order_of_dwarf() {
        let words: [u64; WORDS] = core::array::from_fn(|index| index as u64);
        let registers = Registers::from_words(&words);
        assert_eq!(registers.pc, 16);
        assert_eq!(registers.sp(), 19);
        assert_eq!(registers.general[..7], [10, 12, 11, 5, 13, 14, 4]);
        assert_eq!(registers.general[8..], [9, 8, 7, 6, 3, 2, 1, 0]);
        // rdi, rsi, rdx, r10, r8, r9.
        assert_eq!(registers.system_call_arguments(), [14, 13, 12, 7, 9, 8]);
    }

    #[test]
    fn a_call_that_the_stop_has_interrupted_is_made_anew() {
        let call = |result: i64| {
            let mut words = [0; WORDS];
            (words[10], words[15]) = (result.cast_unsigned(), 202);
            Registers::from_words(&words).system_call(&|_| None)
        };
        assert_eq!(call(-512), Some(StoppedCall { number: 202, restarts: true }));
        assert_eq!(call(0), Some(StoppedCall { number: 202, restarts: false }));
    }

    #[test]
    fn a_thread_outside_of_system_calls_is_told_apart() {
        for outside in [u64::MAX, u64::from(u32::MAX)] {
            let mut words = [0; WORDS];
            words[15] = outside;
            assert_eq!(Registers::from_words(&words).system_call(&|_| None), None);
        }
    }
}
