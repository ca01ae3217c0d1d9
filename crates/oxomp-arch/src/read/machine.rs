//! The processor of a process, a core file or a binary.

use super::calls::Calls;
use super::facts::Facts;
use super::system_call::SystemCall;
use crate::{aarch64, x86_64};

/// A processor, as programs of 64 bits use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// aarch64.
    Aarch64,
    /// x86_64.
    X86_64,
}

impl Machine {
    /// All that there are.
    pub const ALL: [Self; 2] = [Self::Aarch64, Self::X86_64];

    /// The processor for which this crate is compiled.
    pub const OWN: Self = if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    /// The processor whose processes and core files the tools read: the one for which they are
    /// compiled, as [`super::Registers`] are its registers.
    pub const INSPECTED: Self = Self::OWN;

    /// The processor of recordings that do not name theirs: they are from a time when there was no
    /// other.
    pub const OF_UNNAMED_RECORDINGS: Self = Self::X86_64;

    const fn facts(self) -> &'static Facts {
        match self {
            Self::Aarch64 => &aarch64::read::FACTS,
            Self::X86_64 => &x86_64::read::FACTS,
        }
    }

    /// The processor whose binaries of 64 bits have this `e_machine`.
    #[must_use]
    pub fn of_elf(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|machine| machine.elf() == number)
    }

    /// The processor to which Linux gives this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|machine| machine.name() == name)
    }

    /// Whether its recordings have registers of samples, which [`super::samples`] describes: the
    /// collector does not take them on others.
    #[must_use]
    pub const fn has_registers_of_samples(self) -> bool {
        matches!(self, Self::X86_64)
    }

    /// The name that Linux gives it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// `e_machine` of its binaries.
    #[must_use]
    pub const fn elf(self) -> u16 {
        self.facts().elf
    }

    /// Whether the kernel runs programs with this `e_machine` on it, those of 32 bits included.
    #[must_use]
    pub fn runs(self, elf: u16) -> bool {
        elf == self.facts().elf || elf == self.facts().narrow
    }

    /// The kinds of relocations whose value is an address of the binary itself: the address of
    /// data, or of a function that selects a function.
    #[must_use]
    pub const fn own_relocations(self) -> [u32; 2] {
        self.facts().own_relocations
    }

    /// The system call of this number; `None` for one that has no name here.
    #[must_use]
    pub fn system_call(self, number: u64) -> Option<SystemCall> {
        (self.facts().system_call)(number)
    }

    /// How its code calls; `None` if that is not known.
    #[must_use]
    pub fn calls(self) -> Option<&'static dyn Calls> {
        self.facts().calls
    }
}

#[cfg(test)]
mod tests {
    use super::Machine;

    #[test]
    fn a_machine_is_found_by_its_number_and_by_its_name() {
        for machine in Machine::ALL {
            assert_eq!(Machine::of_elf(machine.elf()), Some(machine));
            assert_eq!(Machine::named(machine.name()), Some(machine));
            assert!(machine.runs(machine.elf()));
        }
        assert_eq!(Machine::of_elf(0), None);
        assert_eq!(Machine::named("PDP-11"), None);
    }

    #[test]
    fn programs_of_another_machine_do_not_run() {
        assert!(!Machine::X86_64.runs(Machine::Aarch64.elf()));
        assert!(Machine::X86_64.runs(3), "those of 32 bits do");
    }
}
