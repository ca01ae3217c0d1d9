//! Registers, by DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15.

/// The words of the kernel's `user_regs_struct`.
pub(crate) const WORDS: usize = 27;

/// The number of general registers.
pub const GENERAL: usize = 16;
/// The number of the frame pointer.
pub const FRAME_POINTER: usize = 6;
/// The number of the stack pointer.
pub const STACK_POINTER: usize = 7;
/// The number of the return address's column.
pub const RETURN_ADDRESS: u16 = 16;
/// The registers that a function leaves to its caller as they were, unless its table tells of
/// another place: rbx, rbp, r12 to r15.
pub const PRESERVED: [usize; 6] = [3, FRAME_POINTER, 12, 13, 14, 15];

/// The register of a system call's result: rax.
pub(crate) const RESULT: usize = 0;
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

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::read::Registers;

    #[test]
    fn the_words_of_the_kernel_are_put_in_the_order_of_dwarf() {
        let words: [u64; WORDS] = core::array::from_fn(|index| index as u64);
        let registers = Registers::from_words(&words);
        assert_eq!(registers.pc, 16);
        assert_eq!(registers.sp(), 19);
        assert_eq!(registers.general[..7], [10, 12, 11, 5, 13, 14, 4]);
        assert_eq!(registers.general[8..], [9, 8, 7, 6, 3, 2, 1, 0]);
        assert_eq!(registers.system_call, Some(15));
        // rdi, rsi, rdx, r10, r8, r9; rax.
        assert_eq!(registers.system_call_arguments(), [14, 13, 12, 7, 9, 8]);
        assert_eq!(registers.system_call_result(), 10);
    }

    #[test]
    fn a_thread_outside_of_system_calls_is_told_apart() {
        for outside in [u64::MAX, u64::from(u32::MAX)] {
            let mut words = [0; WORDS];
            words[15] = outside;
            assert_eq!(Registers::from_words(&words).system_call, None);
        }
    }
}
