//! Atomic updates of memory, by the machine code at an address.
//!
//! A sample of an instruction that takes long often names the one after it: a processor takes an
//! interrupt when the instruction is done. Code can be decoded forward only, so it is decoded from
//! the begin of its function.

use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};
use serde::{Deserialize, Serialize};

use super::decoded::Decoded;

/// An instruction that updates memory atomically.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtomicUpdate {
    /// Its name, as `lock xadd`.
    pub instruction: String,
    /// How many bytes before the address that was asked for the instruction lies; 0 if it is there.
    pub before: u64,
}

/// The atomic update at `address`, or else the one directly before it, in a function with this
/// `code`.
pub(crate) fn update_at(code: &Decoded, address: u64) -> Option<AtomicUpdate> {
    let (instruction, before) = code.at(address)?;
    let here = name(instruction).map(|name| (name, address));
    let earlier = || before.and_then(|one| Some((name(one)?, one.ip())));
    let (instruction, at) = here.or_else(earlier)?;
    Some(AtomicUpdate { instruction, before: address - at })
}

/// The name of an instruction that updates memory atomically.
fn name(instruction: &Instruction) -> Option<String> {
    let name = || format!("{:?}", instruction.mnemonic()).to_lowercase();
    let prefix = if instruction.has_lock_prefix() { "lock " } else { "" };
    is_atomic(instruction).then(|| format!("{prefix}{}", name()))
}

/// Whether an instruction updates memory atomically.
pub(crate) fn is_atomic(instruction: &Instruction) -> bool {
    // An exchange with memory is atomic without the prefix.
    let is_exchange = instruction.mnemonic() == Mnemonic::Xchg
        && (0..instruction.op_count()).any(|number| instruction.op_kind(number) == OpKind::Memory);
    !is_fence(instruction) && (instruction.has_lock_prefix() || is_exchange)
}

/// Whether an instruction only orders accesses, as compilers write a flush: `mfence`, `pause`, or
/// `lock or` of nothing to the stack.
pub(crate) fn is_fence(instruction: &Instruction) -> bool {
    use Code::{Lfence, Mfence, Or_rm32_imm8, Or_rm64_imm8, Pause};
    let is_of_stack = instruction.has_lock_prefix() && instruction.memory_base() == Register::RSP;
    match instruction.code() {
        Mfence | Lfence | Pause => true,
        Or_rm32_imm8 | Or_rm64_imm8 => is_of_stack && instruction.immediate8() == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicUpdate, Decoded};

    fn update_at(code: &[u8], begin: u64, address: u64) -> Option<AtomicUpdate> {
        super::update_at(&Decoded::new(code, begin), address)
    }

    /// nop; lock xadd [rdi], eax; add eax, 1; xchg [rdi], eax; xchg ebx, eax; ret
    const CODE: [u8; 14] =
        [0x90, 0xf0, 0x0f, 0xc1, 0x07, 0x83, 0xc0, 0x01, 0x87, 0x07, 0x93, 0xc3, 0x90, 0x90];

    fn found(address: u64) -> Option<(String, u64)> {
        update_at(&CODE, 0x1000, 0x1000 + address).map(|one| (one.instruction, one.before))
    }

    #[test]
    fn a_sample_is_at_the_update_or_directly_behind_it() {
        assert_eq!(found(0), None);
        assert_eq!(found(1), Some(("lock xadd".to_owned(), 0)));
        assert_eq!(found(5), Some(("lock xadd".to_owned(), 4)));
        assert_eq!(found(8), Some(("xchg".to_owned(), 0)));
        assert_eq!(found(10), Some(("xchg".to_owned(), 2)), "an exchange of registers is none");
        assert_eq!(found(11), None);
    }

    #[test]
    fn a_flush_updates_nothing() {
        // lock or dword [rsp], 0; lock or dword [rdi], 0
        let code = [0xf0, 0x83, 0x0c, 0x24, 0x00, 0xf0, 0x83, 0x0f, 0x00];
        assert_eq!(update_at(&code, 0, 0), None);
        assert!(update_at(&code, 0, 5).is_some());
    }

    #[test]
    fn an_address_inside_an_instruction_or_outside_the_code_has_none() {
        assert_eq!(found(2), None);
        assert_eq!(found(100), None);
        assert_eq!(update_at(&[], 0, 0), None);
    }
}
