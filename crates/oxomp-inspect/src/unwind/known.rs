//! The registers of a frame, as far as they are known.

use oxomp_arch::read::Registers;
use oxomp_arch::read::dwarf::{GENERAL, LINK, RETURN_ADDRESS, code_address};
use oxomp_ompd_layout::Memory;

/// The registers of a frame; of an outer frame, only the registers that its callees preserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) pc: u64,
    /// By DWARF's numbers.
    pub(super) registers: [Option<u64>; GENERAL],
}

impl Known {
    pub(super) fn all(registers: &Registers) -> Self {
        Self { pc: registers.pc, registers: registers.general.map(Some) }
    }

    /// The register with this number of DWARF's. The column of the return address may be one of its
    /// own, that of no register.
    pub(super) fn get(&self, register: u16) -> Option<u64> {
        match self.registers.get(usize::from(register)) {
            Some(known) => *known,
            None => (register == RETURN_ADDRESS).then_some(self.pc),
        }
    }

    /// The return address that a call has left in a register, if calls do so and none has since.
    pub(super) fn link(&self) -> Option<u64> {
        self.registers[LINK?].map(code_address)
    }

    /// Makes these the registers of code that has made a call, which has overwritten the register
    /// of the return address.
    pub(super) fn forget_link(&mut self) {
        if let Some(link) = LINK {
            self.registers[link] = None;
        }
    }
}

/// The word of eight bytes at `address`.
pub(super) fn word(stack: &dyn Memory, address: u64) -> Option<u64> {
    let mut buffer = [0; 8];
    stack.read(address, &mut buffer).then(|| u64::from_le_bytes(buffer))
}

/// Memory that has these words only, at these addresses.
#[cfg(test)]
pub(super) struct Words<'a>(pub(super) &'a [(u64, u64)]);

#[cfg(test)]
impl Memory for Words<'_> {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let found = self.0.iter().find(|(at, _)| *at == address);
        found.is_some_and(|(_, word)| {
            buffer.copy_from_slice(&word.to_le_bytes()[..buffer.len()]);
            true
        })
    }
}
