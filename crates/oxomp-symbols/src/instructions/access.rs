//! The memory that code uses around an instruction, by the registers before that instruction.
//!
//! From a sampled instruction a thread goes on with those behind it up to the next jump or call,
//! and it came from those before it down to the last jump, call, or target of a jump. What these
//! use in memory, the thread used within some nanoseconds. The registers of the sample tell an
//! address if each register in it had its sampled content then, or a content that follows from
//! sampled ones: because all instructions in between only add constants to it, or because it was
//! made from others by a move or an address computation. Unoptimized code computes an address in
//! the same register that the load overwrites.
//!
//! What an instruction uses besides its operands, as a call uses the stack, is left out, and so is
//! what lies relative to `fs` and `gs`: that belongs to the thread.

use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
    UsedMemory,
};

use serde::{Deserialize, Serialize};

use super::atomic::is_atomic;
use super::decoded::Decoded;
use super::straight_code::{LinearSum, StraightCode};

/// The most instructions before and behind the sampled one.
const MOST: usize = 16;

/// An instruction's access to memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAccess {
    /// The address of the instruction, as an offset in the module.
    pub instruction: u64,
    /// Whether a sample of the instruction that was asked for stands for time of this one: this one
    /// is directly before it, or this is the instruction that was asked for, and the one before is
    /// not slow. Processors take an interrupt when an instruction is done.
    pub is_near: bool,
    /// Bytes that are used.
    pub bytes: u32,
    /// Whether they are written.
    pub writes: bool,
    /// Whether the instruction updates memory atomically.
    pub is_atomic: bool,
    /// False if control flow may have reached the sampled instruction without this one: a jump
    /// leads there, or the function has a jump table. One behind it is executed next.
    pub is_certain: bool,
    address: LinearSum,
}

impl MemoryAccess {
    /// The address in a process that has the module at `bias`, by the general registers before the
    /// instruction that was asked for.
    #[must_use]
    pub fn address(&self, registers: &[u64; 16], bias: u64) -> u64 {
        self.address.value(registers, bias)
    }
}

/// What the instructions of `function` around `address` use; empty if `address` is not one of an
/// instruction.
pub(crate) fn accesses_around(function: &Decoded, address: u64) -> Vec<MemoryAccess> {
    let Some((all_before, from)) = function.split_at(address) else { return Vec::new() };
    let before = &all_before[all_before.len().saturating_sub(MOST)..];
    let from = &from[..from.len().min(MOST + 1)];
    let is_straight = |one: &Instruction| one.flow_control() == FlowControl::Next;
    // The instruction that jumps or calls is the last one whose operands are known.
    let end = from.iter().position(|one| !is_straight(one)).map_or(from.len(), |last| last + 1);
    let mut next = address;
    let straight = before.iter().rev().take_while(|one| {
        let leads_on = is_straight(one) && one.next_ip() == next && !function.is_target(next);
        next = one.ip();
        leads_on
    });
    let known = straight.count();
    // Where ways meet, the sample stands for time of the last instruction of one of them. One that
    // leads into a loop is executed once for many times of the loop.
    let meets = function.is_target(address) && !function.is_head(address);
    let leads_on = |one: &Instruction| is_straight(one) && one.next_ip() == address;
    let sampled = known.max(usize::from(meets && before.last().is_some_and(leads_on)));
    let mut around = before[before.len() - sampled..].to_vec();
    around.extend(&from[..end]);
    // The table may lead to any of those before.
    let certain = if function.has_table() { sampled } else { sampled - known };
    accesses(&around, sampled, certain)
}

/// What consecutive instructions use. The one at the position `sampled` was asked for; the first
/// ones, before `certain`, may not have been executed.
fn accesses(instructions: &[Instruction], sampled: usize, certain: usize) -> Vec<MemoryAccess> {
    let code = StraightCode::new(instructions, sampled);
    let mut factory = InstructionInfoFactory::new();
    let mut accesses = Vec::new();
    let before = sampled.checked_sub(1).map(|at| &instructions[at]);
    let is_behind_slow = before.is_some_and(|before| is_slow(before, &mut factory));
    for (at, instruction) in instructions.iter().enumerate() {
        let has_operand =
            (0..instruction.op_count()).any(|number| instruction.op_kind(number) == OpKind::Memory);
        if !has_operand {
            continue;
        }
        for used in factory.info(instruction).used_memory() {
            let Some((bytes, writes)) = use_of(instruction, used) else { continue };
            let Some(address) = code.address(at, used) else { continue };
            accesses.push(MemoryAccess {
                instruction: instruction.ip(),
                is_near: at + 1 == sampled || at == sampled && !is_behind_slow,
                bytes,
                writes,
                is_atomic: is_atomic(instruction),
                is_certain: at >= certain,
                address,
            });
        }
    }
    accesses
}

/// Whether an instruction may take long: a sample behind it stands for its time.
fn is_slow(instruction: &Instruction, factory: &mut InstructionInfoFactory) -> bool {
    use Mnemonic::{Div, Idiv, Imul, Mul};
    let info = factory.info(instruction);
    info.used_memory().iter().any(|memory| memory.access() != OpAccess::Write)
        || info.used_registers().iter().any(|used| used.register().is_vector_register())
        || matches!(instruction.mnemonic(), Div | Idiv | Imul | Mul)
}

/// How many bytes an instruction uses at `used`, and whether it writes them; `None` if it may leave
/// them alone, or if they are the thread's own.
fn use_of(instruction: &Instruction, used: &UsedMemory) -> Option<(u32, bool)> {
    let writes = match used.access() {
        OpAccess::Read => false,
        OpAccess::Write | OpAccess::ReadWrite | OpAccess::ReadCondWrite => true,
        _ => return None,
    };
    let is_own = matches!(used.segment(), Register::FS | Register::GS);
    // A push or a pop beside an operand.
    let is_implicit = used.base() == Register::RSP && instruction.memory_base() != Register::RSP;
    let bytes = u32::try_from(used.memory_size().size()).ok()?;
    (bytes > 0 && !is_own && !is_implicit).then_some((bytes, writes))
}

#[cfg(test)]
mod tests {
    use super::{MemoryAccess, accesses_around};
    use crate::instructions::decoded::Decoded;

    const BEGIN: u64 = 0x1000;

    /// Registers whose contents tell their numbers.
    fn registers() -> [u64; 16] {
        std::array::from_fn(|number| 0x10_0000 * (number as u64 + 1))
    }

    const RAX: u64 = 0x10_0000;
    const RDX: u64 = 0x30_0000;
    const RSI: u64 = 0x70_0000;
    const RDI: u64 = 0x80_0000;

    fn around(code: &[u8], at: u64) -> Vec<MemoryAccess> {
        accesses_around(&Decoded::new(code, BEGIN), BEGIN + at)
    }

    /// Offset of the instruction, address, bytes, and whether it writes.
    fn found(code: &[u8], at: u64) -> Vec<(u64, u64, u32, bool)> {
        let known = around(code, at).into_iter().map(|access| {
            let address = access.address(&registers(), 0x5000_0000);
            (access.instruction - BEGIN, address, access.bytes, access.writes)
        });
        let mut known: Vec<_> = known.collect();
        known.sort_unstable();
        known
    }

    #[test]
    fn operands_have_their_addresses_widths_and_directions() {
        // mov rcx, [rdi + rdx*8 + 16]
        let load = [0x48, 0x8b, 0x4c, 0xd7, 0x10];
        assert_eq!(found(&load, 0), [(0, RDI + 8 * RDX + 16, 8, false)]);
        // mov dword [rsi - 4], ecx
        assert_eq!(found(&[0x89, 0x4e, 0xfc], 0), [(0, RSI - 4, 4, true)]);
        // add byte [rdi], 1
        assert_eq!(found(&[0x80, 0x07, 0x01], 0), [(0, RDI, 1, true)]);
        // movups xmm0, [rax]
        assert_eq!(found(&[0x0f, 0x10, 0x00], 0), [(0, RAX, 16, false)]);
        // mov eax, [rip + 0x100], whose address is of the module
        let relative = [0x8b, 0x05, 0x00, 0x01, 0x00, 0x00];
        assert_eq!(found(&relative, 0), [(0, 0x5000_0000 + BEGIN + 6 + 0x100, 4, false)]);
    }

    #[test]
    fn what_touches_no_memory_or_the_threads_own_has_no_address() {
        // lea rax, [rdi]; prefetcht0 [rdi]; mov rax, fs:[0x10]; push rbx; nop [rdi]
        for code in [
            &[0x48, 0x8d, 0x07][..],
            &[0x0f, 0x18, 0x0f],
            &[0x64, 0x48, 0x8b, 0x04, 0x25, 0x10, 0, 0, 0],
            &[0x53],
            &[0x0f, 0x1f, 0x07],
        ] {
            assert_eq!(found(code, 0), [], "{code:x?}");
        }
        // push qword [rdi]: only the operand.
        assert_eq!(found(&[0xff, 0x37], 0), [(0, RDI, 8, false)]);
    }

    /// mov rax, [rdi]; add rax, 1; mov [rdi], rax; ret
    const COUNT: [u8; 11] = [0x48, 0x8b, 0x07, 0x48, 0x83, 0xc0, 1, 0x48, 0x89, 0x07, 0xc3];

    #[test]
    fn straight_code_around_the_sample_is_known() {
        let both = [(0, RDI, 8, false), (7, RDI, 8, true)];
        for at in [0, 3, 7, 10] {
            assert_eq!(found(&COUNT, at), both, "{at}");
        }
        let near = |at| -> Vec<u64> {
            let near = around(&COUNT, at).into_iter().filter(|access| access.is_near);
            near.map(|access| access.instruction - BEGIN).collect()
        };
        assert_eq!([near(0), near(3), near(7), near(10)], [vec![0], vec![0], vec![7], vec![7]]);
        // mulsd xmm0, xmm2; mov [rdi], rdx; add rdx, 1: the sample at the store is the product's.
        let product = [0xf2, 0x0f, 0x59, 0xc2, 0x48, 0x89, 0x17, 0x48, 0x83, 0xc2, 1];
        let near = |at| around(&product, at).iter().any(|access| access.is_near);
        assert_eq!([near(0), near(4), near(7)], [false, false, true]);
        assert_eq!(found(&COUNT, 1), [], "inside an instruction");
        assert_eq!(found(&COUNT, 11), [], "behind the code");
    }

    #[test]
    fn a_register_that_was_written_tells_nothing() {
        // mov rdi, [rdi]; mov eax, [rdi]; ret
        let follow = [0x48, 0x8b, 0x3f, 0x8b, 0x07, 0xc3];
        assert_eq!(found(&follow, 0), [(0, RDI, 8, false)], "the next one's is not known yet");
        assert_eq!(
            found(&follow, 3),
            [(3, RDI, 4, false)],
            "the first one's is not known any more"
        );
        // mov eax, [rdi]; add rdi, 4; nop
        let step = [0x8b, 0x07, 0x48, 0x83, 0xc7, 0x04, 0x90];
        assert_eq!(found(&step, 2), [(0, RDI, 4, false)]);
        assert_eq!(found(&step, 6), [(0, RDI - 4, 4, false)], "it was less by what was added");
        // mov edi, edi writes all of rdi; mov eax, [rdi]
        assert_eq!(found(&[0x89, 0xff, 0x8b, 0x07], 0), []);
    }

    #[test]
    fn a_jump_or_its_target_ends_what_is_known() {
        // mov eax, [rdi]; L: add ecx, 1; mov edx, [rsi]; jne L; mov eax, [rdi]
        let code = [0x8b, 0x07, 0x83, 0xc1, 1, 0x8b, 0x16, 0x75, 0xf9, 0x8b, 0x07];
        assert_eq!(found(&code, 2), [(5, RSI, 4, false)], "the first load may be long ago");
        assert_eq!(found(&code, 0), [(0, RDI, 4, false), (5, RSI, 4, false)], "the jump may go");
        assert_eq!(found(&code, 9), [(9, RDI, 4, false)]);
        // mov eax, [rdi]; call; mov eax, [rsi]
        let call = [0x8b, 0x07, 0xe8, 0, 0, 0, 0, 0x8b, 0x06];
        assert_eq!(found(&call, 0), [(0, RDI, 4, false)]);
        assert_eq!(found(&call, 7), [(7, RSI, 4, false)]);
    }

    #[test]
    fn where_ways_meet_the_last_instruction_may_not_have_been_executed() {
        // jbe L; add qword [rdi + 8], 1; L: add rax, 1; ret
        let code = [0x76, 5, 0x48, 0x83, 0x47, 8, 1, 0x48, 0x83, 0xc0, 1, 0xc3];
        let [access] = around(&code, 7).try_into().expect("one");
        let offset = access.instruction - BEGIN;
        assert_eq!((offset, access.is_near, access.is_certain), (2, true, false));
        assert!(around(&code, 2).iter().all(|access| access.is_certain));
        assert_eq!(around(&code, 11), [], "the load is behind a place where ways meet");
    }

    #[test]
    fn atomic_updates_are_told_apart() {
        // lock add dword [rdi], 1; mov [rsi], eax; xchg [rdi], eax
        let code = [0xf0, 0x83, 0x07, 0x01, 0x89, 0x06, 0x87, 0x07];
        let atomic: Vec<bool> = around(&code, 0).iter().map(|access| access.is_atomic).collect();
        assert_eq!(atomic, [true, false, true]);
        assert!(around(&code, 0).iter().all(|access| access.writes));
    }
}
