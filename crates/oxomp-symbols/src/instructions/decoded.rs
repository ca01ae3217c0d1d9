//! The instructions of a function, decoded once however many of its addresses are asked for.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};

/// Instructions in their order, up to one that is invalid.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    all: Vec<Instruction>,
    /// The positions of those that jump back within the function, or to themselves.
    jumps_back: Vec<usize>,
    /// The addresses to which instructions jump or call, in order.
    targets: Vec<u64>,
    /// Those among [`Self::targets`] to which an instruction jumps back, or which jump to
    /// themselves.
    heads: Vec<u64>,
    /// Whether an instruction jumps to an address that a register or memory holds, as in a table.
    has_table: bool,
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
        let sorted = |is_wanted: &dyn Fn(&Instruction) -> bool| {
            let jumps = all.iter().filter(|one| is_branch(one) && is_wanted(one));
            let mut targets: Vec<u64> = jumps.map(Instruction::near_branch_target).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        let targets = sorted(&|_| true);
        let heads = sorted(&|one| one.near_branch_target() <= one.ip());
        let has_table = all.iter().any(|one| one.flow_control() == FlowControl::IndirectBranch);
        Self { all, jumps_back, targets, heads, has_table }
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

    /// The instructions before `address`, and those from `address` on; `None` if no instruction
    /// begins there.
    pub(crate) fn split_at(&self, address: u64) -> Option<(&[Instruction], &[Instruction])> {
        self.position(address).map(|position| self.all.split_at(position))
    }

    /// Whether an instruction jumps to `address`, as far as the instructions tell.
    pub(crate) fn is_target(&self, address: u64) -> bool {
        self.targets.binary_search(&address).is_ok()
    }

    /// Whether one jumps back to `address`.
    pub(crate) fn is_head(&self, address: u64) -> bool {
        self.heads.binary_search(&address).is_ok()
    }

    /// Whether some jump to addresses that only a table has.
    pub(crate) fn has_table(&self) -> bool {
        self.has_table
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

fn is_branch(instruction: &Instruction) -> bool {
    matches!(instruction.op0_kind(), OpKind::NearBranch64 | OpKind::NearBranch32)
}

pub(crate) fn is_jump(instruction: &Instruction) -> bool {
    instruction.is_jcc_short_or_near() || instruction.is_jmp_short_or_near()
}
