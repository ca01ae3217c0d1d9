//! Registers, by DWARF's numbers: x0 to x30, sp.

use crate::read::StoppedCall;

/// The words of the kernel's `user_pt_regs`: x0 to x30, sp, pc and the state.
pub(crate) const WORDS: usize = 34;

/// The number of general registers.
pub const GENERAL: usize = 32;
/// The number of the frame pointer.
pub const FRAME_POINTER: usize = 29;
/// The number of the stack pointer.
pub const STACK_POINTER: usize = 31;
/// The register in which a call leaves its return address; `None` if a call pushes it.
pub const LINK: Option<usize> = Some(30);
/// The number of the return address's column: the link register's.
pub const RETURN_ADDRESS: u16 = 30;
/// The registers that a function leaves to its caller as they were, unless its table tells of
/// another place: x19 to x29.
pub const PRESERVED: [usize; 11] = [19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FRAME_POINTER];

/// The code to which the handler of a signal returns, where no table describes it, and how far
/// above the stack pointer the kernel keeps there the words of the registers of the interrupted
/// code.
///
/// The code is `mov x8, #139; svc #0`, of the vdso. Kernels since 5.8 have no table for it; the
/// tables of older ones give the link register for the address of the interrupted code. Above the
/// stack pointer are a `siginfo` and a `ucontext`, in which the words are behind the address of a
/// fault.
pub const SIGNAL_RETURN: Option<([u8; 8], u64)> =
    Some(([0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4], 128 + 176 + 8));

/// The bits of an address of a process's code: unless it asks for more, the kernel gives it 48.
const ADDRESS: u64 = (1 << 48) - 1;

/// The registers of a system call's arguments: x0 to x5.
pub(crate) const ARGUMENTS: [usize; 6] = [0, 1, 2, 3, 4, 5];
/// The register of a system call's number.
const NUMBER: usize = 8;
/// `svc #0`.
const CALL: [u8; 4] = [0x01, 0x00, 0x00, 0xd4];

/// From the kernel's words: the general registers, the address of the next instruction, and the
/// number of the system call, which is not among the words.
pub(crate) fn from_words(words: &[u64; WORDS]) -> ([u64; GENERAL], u64, Option<u64>) {
    let [general @ .., pc, _] = *words;
    (general, pc, None)
}

/// The system call in which a thread stopped.
///
/// The kernel tells of none: before it stops a thread that waits in a call, it gives the first
/// argument's register its value again, in which the result would be, moves the thread back to the
/// instruction of the call and forgets the call (do_signal() in arch/arm64). So the thread stands
/// at that instruction. A thread that is about to make a call stands there, too; one that was woken
/// stands behind it, in no call.
pub(crate) fn stopped_call(
    _: Option<u64>,
    general: &[u64; GENERAL],
    pc: u64,
    instruction: &dyn Fn(u64) -> Option<[u8; 4]>,
) -> Option<StoppedCall> {
    let number = general[NUMBER];
    (instruction(pc)? == CALL).then_some(StoppedCall { number, restarts: true })
}

/// The address in a word that may have an authentication code in its upper bits, as return
/// addresses have between `paciasp` and `autiasp`.
#[must_use]
pub const fn code_address(word: u64) -> u64 {
    word & ADDRESS
}

#[cfg(test)]
mod tests {
    use super::{WORDS, code_address};
    use crate::read::{Registers, StoppedCall};

    fn registers() -> Registers {
        Registers::from_words(&core::array::from_fn::<_, WORDS, _>(|index| 100 + index as u64))
    }

    #[test]
    fn the_words_of_the_kernel_are_in_the_order_of_dwarf() {
        let registers = registers();
        assert_eq!(registers.general, core::array::from_fn(|index| 100 + index as u64));
        assert_eq!((registers.sp(), registers.pc), (131, 132));
        assert_eq!(registers.system_call_arguments(), [100, 101, 102, 103, 104, 105]);
    }

    #[test]
    fn a_thread_at_the_instruction_of_a_call_stopped_in_the_call() {
        let at = |word: u32| {
            registers().system_call(&|address| (address == 132).then_some(word.to_le_bytes()))
        };
        assert_eq!(at(0xd400_0001), Some(StoppedCall { number: 108, restarts: true }));
        assert_eq!(at(0xd65f_03c0), None, "ret");
        assert_eq!(registers().system_call(&|_| None), None);
    }

    #[test]
    fn a_signed_return_address_loses_its_signature() {
        assert_eq!(code_address(0x0000_aaaa_bbbb_0c58), 0xaaaa_bbbb_0c58);
        assert_eq!(code_address(0x0035_aaaa_bbbb_0c58), 0xaaaa_bbbb_0c58);
        assert_eq!(code_address(0xff7f_aaaa_bbbb_0c58), 0xaaaa_bbbb_0c58);
    }
}
