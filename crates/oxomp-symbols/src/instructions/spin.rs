//! Loops that wait for memory to change, by the machine code at an address.
//!
//! A loop that stores nothing, calls nothing, and carries no register from one iteration to the
//! next does the same again and again until another thread, or a signal handler, changes what it
//! reads: a thread that is in it waits. (A loop with a block of code apart, through which most of
//! its iterations go, would look the same.)

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess};

use super::atomic::is_fence;
use super::decoded::{Decoded, is_jump};

/// The most instructions of such a loop: reading a few variables takes no more.
const MOST: usize = 32;

/// The begin of the loop around `address` that waits for memory to change, in a function with this
/// `code`; `None` if `address` is in no such loop.
pub(crate) fn spin_at(code: &Decoded, address: u64) -> Option<u64> {
    let body = code.innermost_loop(address, MOST)?;
    let first = body.first()?.ip();
    waits_for_memory(body).then_some(first)
}

/// Whether a loop reads memory, changes nothing, and begins each iteration as the one before.
fn waits_for_memory(body: &[Instruction]) -> bool {
    let mut factory = InstructionInfoFactory::new();
    let (mut read, mut written) = (Vec::new(), Vec::new());
    let mut loads = false;
    for instruction in body {
        let is_straight = instruction.flow_control() == FlowControl::Next;
        if !is_straight && !is_jump(instruction) || tells_time(instruction) {
            return false;
        }
        if is_fence(instruction) {
            continue;
        }
        let info = factory.info(instruction);
        loads |= !info.used_memory().is_empty();
        if info.used_memory().iter().any(|memory| memory.access() != OpAccess::Read) {
            return false;
        }
        for used in info.used_registers() {
            let register = used.register().full_register();
            if reads(used.access()) && !written.contains(&register) {
                read.push(register);
            }
        }
        for used in info.used_registers() {
            if !matches!(used.access(), OpAccess::Read | OpAccess::CondRead) {
                written.push(used.register().full_register());
            }
        }
    }
    loads && read.iter().all(|register| !written.contains(register))
}

fn reads(access: OpAccess) -> bool {
    use OpAccess::{CondRead, CondWrite, Read, ReadCondWrite, ReadWrite};
    // What is written on a condition only keeps its old value otherwise.
    matches!(access, Read | CondRead | ReadWrite | ReadCondWrite | CondWrite)
}

/// Whether an instruction reads something that changes by itself.
fn tells_time(instruction: &Instruction) -> bool {
    use Mnemonic::{Rdpmc, Rdpru, Rdrand, Rdseed, Rdtsc, Rdtscp};
    matches!(instruction.mnemonic(), Rdtsc | Rdtscp | Rdpmc | Rdpru | Rdrand | Rdseed)
}

#[cfg(test)]
mod tests {
    use super::spin_at;
    use crate::instructions::decoded::Decoded;

    fn spins(code: &[u8], at: u64) -> Option<u64> {
        spin_at(&Decoded::new(code, 0x1000), 0x1000 + at).map(|first| first - 0x1000)
    }

    #[test]
    fn a_loop_that_reads_a_flag_waits() {
        // nop; mov eax, [rdi]; test eax, eax; je -6; ret
        let code = [0x90, 0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa, 0xc3];
        for at in [1, 3, 5] {
            assert_eq!(spins(&code, at), Some(1), "{at}");
        }
        assert_eq!((spins(&code, 0), spins(&code, 7)), (None, None), "before it, and after it");
        // pause; cmp dword [rdi], 0; je -7
        assert_eq!(spins(&[0xf3, 0x90, 0x83, 0x3f, 0x00, 0x74, 0xf9], 2), Some(0));
        // With a flush: mfence; mov eax, [rdi]; cmp eax, [rsi]; jl -9
        assert_eq!(spins(&[0x0f, 0xae, 0xf0, 0x8b, 0x07, 0x3b, 0x06, 0x7c, 0xf7], 3), Some(0));
        // Or with lock or dword [rsp], 0; cmp dword [rdi], 0; je -10
        let code = [0xf0, 0x83, 0x0c, 0x24, 0x00, 0x83, 0x3f, 0x00, 0x74, 0xf6];
        assert_eq!(spins(&code, 5), Some(0));
    }

    #[test]
    fn a_loop_that_goes_on_works() {
        // Follows a list: mov rdi, [rdi]; test rdi, rdi; jne -8
        assert_eq!(spins(&[0x48, 0x8b, 0x3f, 0x48, 0x85, 0xff, 0x75, 0xf8], 3), None);
        // Adds up: add eax, [rdi]; add rdi, 4; cmp rdi, rsi; jne -11
        let sum = [0x03, 0x07, 0x48, 0x83, 0xc7, 0x04, 0x48, 0x39, 0xf7, 0x75, 0xf5];
        assert_eq!(spins(&sum, 2), None);
        // Stores: mov eax, [rdi]; mov [rsi], eax; jmp -6
        assert_eq!(spins(&[0x8b, 0x07, 0x89, 0x06, 0xeb, 0xfa], 0), None);
        // Counts: dec eax; jne -4
        assert_eq!(spins(&[0xff, 0xc8, 0x75, 0xfc], 0), None);
        // Looks at the clock: rdtsc; cmp eax, [rdi]; jb -6
        assert_eq!(spins(&[0x0f, 0x31, 0x3b, 0x07, 0x72, 0xfa], 2), None);
        // Calls: mov eax, [rdi]; call +0; jmp -9
        assert_eq!(spins(&[0x8b, 0x07, 0xe8, 0, 0, 0, 0, 0xeb, 0xf7], 0), None);
        // Keeps the larger of two: mov eax, [rdi]; cmp eax, ebx; cmovg ebx, eax; jmp -9
        assert_eq!(spins(&[0x8b, 0x07, 0x39, 0xd8, 0x0f, 0x4f, 0xd8, 0xeb, 0xf7], 0), None);
    }

    #[test]
    fn the_loop_around_is_another_one() {
        // mov eax, [rdi]; test eax, eax; je -6; dec ecx; jne -10
        let code = [0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa, 0xff, 0xc9, 0x75, 0xf6];
        assert_eq!(spins(&code, 2), Some(0), "the inner one waits");
        assert_eq!(spins(&code, 6), None, "the outer one counts");
        assert_eq!(spins(&[], 0), None);
    }
}
