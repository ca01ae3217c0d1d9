//! Expresses register contents before one instruction by those before another.

use iced_x86::{
    Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory,
};
use serde::{Deserialize, Serialize};

/// General registers.
const REGISTERS: usize = 16;
/// Moves and address computations that are followed from one register to the next.
const MOST_STEPS: u32 = 8;

/// A sum of registers, a constant, and the address of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct LinearSum {
    constant: u64,
    /// How often each register, and the address at which the module lies, is in it.
    registers: [u64; REGISTERS],
    module: u64,
}

impl LinearSum {
    fn constant(constant: u64) -> Self {
        Self { constant, ..Self::default() }
    }

    /// An address in the module.
    fn in_module(offset: u64) -> Self {
        Self { constant: offset, module: 1, ..Self::default() }
    }

    fn register(number: usize) -> Self {
        let mut sum = Self::default();
        sum.registers[number] = 1;
        sum
    }

    fn plus(mut self, other: &Self, times: u64) -> Self {
        let add = |to: &mut u64, other: u64| *to = to.wrapping_add(other.wrapping_mul(times));
        add(&mut self.constant, other.constant);
        add(&mut self.module, other.module);
        for (to, other) in self.registers.iter_mut().zip(other.registers) {
            add(to, other);
        }
        self
    }

    /// The sum with these registers and the module at `bias`.
    pub(crate) fn value(&self, registers: &[u64; REGISTERS], bias: u64) -> u64 {
        let terms = self.registers.iter().zip(registers);
        let terms = terms.map(|(times, register)| times.wrapping_mul(*register));
        let module = self.module.wrapping_mul(bias);
        terms.fold(self.constant.wrapping_add(module), u64::wrapping_add)
    }
}

/// Instructions that a thread executes one after the other.
pub(crate) struct StraightCode<'a> {
    instructions: &'a [Instruction],
    /// The registers that each writes.
    written: Vec<Vec<Register>>,
    /// The position of the one before which the registers are known.
    sampled: usize,
}

impl<'a> StraightCode<'a> {
    pub(crate) fn new(instructions: &'a [Instruction], sampled: usize) -> Self {
        let mut factory = InstructionInfoFactory::new();
        let mut written_by = |instruction: &Instruction| {
            let used = factory.info(instruction).used_registers().iter();
            let written =
                used.filter(|one| !matches!(one.access(), OpAccess::Read | OpAccess::CondRead));
            written.map(|one| one.register().full_register()).collect()
        };
        let written = instructions.iter().map(&mut written_by).collect();
        Self { instructions, written, sampled }
    }

    /// The address that the instruction at the position `at` uses.
    pub(crate) fn address(&self, at: usize, used: &UsedMemory) -> Option<LinearSum> {
        if self.instructions[at].is_ip_rel_memory_operand() && used.base() == Register::None {
            return Some(LinearSum::in_module(used.displacement()));
        }
        let index = (used.index(), used.scale() as u64);
        self.sum(at, used.base(), index, used.displacement(), MOST_STEPS)
    }

    fn sum(
        &self,
        at: usize,
        base: Register,
        (index, scale): (Register, u64),
        displacement: u64,
        steps: u32,
    ) -> Option<LinearSum> {
        let mut sum = LinearSum::constant(displacement);
        for (register, times) in [(base, 1), (index, scale)] {
            if register != Register::None {
                sum = sum.plus(&self.content(register, at, steps)?, times);
            }
        }
        Some(sum)
    }

    /// What `register` holds before the instruction at the position `at`.
    fn content(&self, register: Register, at: usize, steps: u32) -> Option<LinearSum> {
        if !register.is_gpr64() || steps == 0 {
            return None;
        }
        if at <= self.sampled {
            // Before it was changed to what was sampled.
            let mut sum = LinearSum::register(register.number());
            let mut later = (at..self.sampled).filter(|&one| self.writes(one, register));
            let is_known = later.all(|one| {
                let added = added(&self.instructions[one], register);
                sum.constant = sum.constant.wrapping_sub(added.unwrap_or(0));
                added.is_some()
            });
            if is_known {
                return Some(sum);
            }
        }
        let first = if at > self.sampled { self.sampled } else { 0 };
        match (first..at).rev().find(|&one| self.writes(one, register)) {
            Some(made) => self.made(made, register, steps - 1),
            None if at > self.sampled => Some(LinearSum::register(register.number())),
            None => None,
        }
    }

    /// What the instruction at the position `at` makes of `register`.
    fn made(&self, at: usize, register: Register, steps: u32) -> Option<LinearSum> {
        let instruction = &self.instructions[at];
        if let Some(added) = added(instruction, register) {
            let before = self.content(register, at, steps)?;
            return Some(before.plus(&LinearSum::constant(added), 1));
        }
        if instruction.op0_kind() != OpKind::Register || instruction.op0_register() != register {
            return None;
        }
        match (instruction.mnemonic(), instruction.op1_kind()) {
            (Mnemonic::Mov, OpKind::Register) => {
                self.content(instruction.op1_register(), at, steps)
            }
            (Mnemonic::Mov, OpKind::Immediate64 | OpKind::Immediate32to64) => {
                Some(LinearSum::constant(instruction.immediate(1)))
            }
            (Mnemonic::Lea, _) if instruction.is_ip_rel_memory_operand() => {
                Some(LinearSum::in_module(instruction.memory_displacement64()))
            }
            (Mnemonic::Lea, _) => {
                let index = (instruction.memory_index(), instruction.memory_index_scale().into());
                let displacement = instruction.memory_displacement64();
                self.sum(at, instruction.memory_base(), index, displacement, steps)
            }
            _ => None,
        }
    }

    fn writes(&self, at: usize, register: Register) -> bool {
        self.written[at].contains(&register)
    }
}

/// What an instruction adds to `register`, if it does nothing else to it.
fn added(instruction: &Instruction, register: Register) -> Option<u64> {
    if instruction.op0_kind() != OpKind::Register || instruction.op0_register() != register {
        return None;
    }
    let is_constant = || {
        matches!(instruction.op1_kind(), OpKind::Immediate8to64 | OpKind::Immediate32to64)
            .then(|| instruction.immediate(1))
    };
    match instruction.mnemonic() {
        Mnemonic::Add => is_constant(),
        Mnemonic::Sub => is_constant().map(u64::wrapping_neg),
        Mnemonic::Inc => Some(1),
        Mnemonic::Dec => Some(u64::MAX),
        Mnemonic::Lea
            if instruction.memory_base() == register
                && instruction.memory_index() == Register::None =>
        {
            Some(instruction.memory_displacement64())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions, Instruction, Register};

    use super::{MOST_STEPS, StraightCode};

    fn registers() -> [u64; 16] {
        std::array::from_fn(|number| 0x10_0000 * (number as u64 + 1))
    }

    const RAX: u64 = 0x10_0000;
    const RDX: u64 = 0x30_0000;
    const RDI: u64 = 0x80_0000;

    /// What rax holds before the instruction at `at`, if the registers are known before that at
    /// `sampled`.
    fn content_of_rax(code: &[u8], at: usize, sampled: usize) -> Option<u64> {
        let decoder = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE);
        let instructions: Vec<Instruction> = decoder.into_iter().collect();
        let straight = StraightCode::new(&instructions, sampled);
        let sum = straight.content(Register::RAX, at, MOST_STEPS)?;
        Some(sum.value(&registers(), 0x5000_0000))
    }

    #[test]
    fn code_without_optimization_makes_addresses_again_and_again() {
        // lea rdx, [rax*8]; lea rax, [rip + 0x100]; mov rax, [rdx + rax]; lea rcx, [rax + 1]
        let mut code = vec![0x48, 0x8d, 0x14, 0xc5, 0, 0, 0, 0];
        code.extend([0x48, 0x8d, 0x05, 0x00, 0x01, 0, 0, 0x48, 0x8b, 0x04, 0x02]);
        code.extend([0x48, 0x8d, 0x48, 0x01]);
        // The sample is behind the load, which has written a register of its own.
        assert_eq!(content_of_rax(&code, 2, 3), Some(0x5000_0000 + 0x100f + 0x100));
        assert_eq!(content_of_rax(&code, 3, 3), Some(RAX));
        assert_eq!(content_of_rax(&code, 1, 3), None, "before the constant");
        // The same if the sample is before the load.
        assert_eq!(content_of_rax(&code, 2, 0), Some(0x5000_0000 + 0x100f + 0x100));
        assert_eq!(content_of_rax(&code, 3, 0), None, "what was loaded is not known");
    }

    #[test]
    fn constants_are_taken_back_and_moves_followed() {
        // add rax, 8; sub rax, 2; lea rax, [rax + 16]; inc rax; dec rax; nop
        let mut code = vec![0x48, 0x83, 0xc0, 8, 0x48, 0x83, 0xe8, 2, 0x48, 0x8d, 0x40, 16];
        code.extend([0x48, 0xff, 0xc0, 0x48, 0xff, 0xc8, 0x90]);
        assert_eq!(content_of_rax(&code, 0, 5), Some(RAX - 22));
        assert_eq!(content_of_rax(&code, 3, 5), Some(RAX));
        assert_eq!(content_of_rax(&code, 5, 0), Some(RAX + 22));
        // mov rax, rdi; lea rax, [rax + rdx*4 - 1]; nop
        let code = [0x48, 0x89, 0xf8, 0x48, 0x8d, 0x44, 0x90, 0xff, 0x90];
        assert_eq!(content_of_rax(&code, 2, 0), Some(RDI + 4 * RDX - 1));
        assert_eq!(content_of_rax(&code, 1, 2), Some(RDI));
        assert_eq!(content_of_rax(&code, 0, 2), None);
        // mov rax, -2; nop: and a part of a register, mov eax, edi, is not followed.
        assert_eq!(
            content_of_rax(&[0x48, 0xc7, 0xc0, 0xfe, 0xff, 0xff, 0xff, 0x90], 1, 0),
            Some(u64::MAX - 1)
        );
        assert_eq!(content_of_rax(&[0x89, 0xf8, 0x90], 1, 0), None);
    }
}
