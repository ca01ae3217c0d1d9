//! The instructions of a function, decoded once however many of its addresses are asked for.

use iced_x86::{Decoder, DecoderOptions, Instruction};

/// Instructions in their order, up to one that is invalid.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    all: Vec<Instruction>,
    /// The positions of those that jump back within the function, or to themselves.
    jumps_back: Vec<usize>,
}

impl Decoded {
    /// The function that begins at `begin` and has this `code`.
    pub(crate) fn new(code: &[u8], begin: u64) -> Self {
        let decoder = Decoder::with_ip(64, code, begin, DecoderOptions::NONE);
        let all: Vec<Instruction> =
            decoder.into_iter().take_while(|instruction| !instruction.is_invalid()).collect();
        let is_back = |instruction: &Instruction| {
            let target = instruction.near_branch_target();
            is_jump(instruction) && (begin..=instruction.ip()).contains(&target)
        };
        let jumps_back = (0..all.len()).filter(|&position| is_back(&all[position])).collect();
        Self { all, jumps_back }
    }

    /// The position of the instruction that begins at `address`.
    fn position(&self, address: u64) -> Option<usize> {
        self.all.binary_search_by_key(&address, Instruction::ip).ok()
    }

    /// The instruction that begins at `address`, and the one before it.
    pub(crate) fn at(&self, address: u64) -> Option<(&Instruction, Option<&Instruction>)> {
        let position = self.position(address)?;
        Some((&self.all[position], position.checked_sub(1).map(|before| &self.all[before])))
    }

    /// The instructions of the shortest loop that has the one at `address`, if they are at most
    /// `most`.
    pub(crate) fn innermost_loop(&self, address: u64, most: usize) -> Option<&[Instruction]> {
        let position = self.position(address)?;
        let next = self.jumps_back.partition_point(|jump| *jump < position);
        let near = self.jumps_back[next..].iter().take_while(|jump| **jump - position < most);
        let around = near.map(|&jump| (self.all[jump].near_branch_target(), jump));
        let (target, last) = around.into_iter().find(|(target, _)| *target <= address)?;
        let body = &self.all[self.position(target)?..=last];
        (body.len() <= most).then_some(body)
    }
}

pub(crate) fn is_jump(instruction: &Instruction) -> bool {
    instruction.is_jcc_short_or_near() || instruction.is_jmp_short_or_near()
}
