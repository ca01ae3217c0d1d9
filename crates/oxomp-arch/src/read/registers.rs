//! Registers of stopped threads, of the [inspected](super::Machine::INSPECTED) processor.

use crate::own::read::registers as inspected;
use crate::read::StoppedCall;

pub use inspected::{
    FRAME_POINTER, GENERAL, LINK, PRESERVED, RETURN_ADDRESS, SIGNAL_RETURN, STACK_POINTER,
    code_address,
};

/// The general registers of a stopped thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// By DWARF's numbers.
    pub general: [u64; GENERAL],
    /// The address of the next instruction.
    pub pc: u64,
    /// The number of the system call in which the thread stopped, if the kernel notes it with the
    /// registers.
    noted_call: Option<u64>,
}

impl Registers {
    /// The number of words that ptrace(2) and core files have of a thread's general registers.
    pub const WORDS: usize = inspected::WORDS;

    /// From the words of the kernel's structure, which ptrace(2) and core files have.
    #[must_use]
    pub fn from_words(words: &[u64; Self::WORDS]) -> Self {
        let (general, pc, noted_call) = inspected::from_words(words);
        Self { general, pc, noted_call }
    }

    /// The stack pointer.
    #[must_use]
    pub fn sp(&self) -> u64 {
        self.general[STACK_POINTER]
    }

    /// The system call in which the thread stopped; `None` outside of any. `instruction` tells the
    /// four bytes at an address of the thread's code.
    #[must_use]
    pub fn system_call(&self, instruction: &dyn Fn(u64) -> Option<[u8; 4]>) -> Option<StoppedCall> {
        inspected::stopped_call(self.noted_call, &self.general, self.pc, instruction)
    }

    /// The arguments of a system call in which the thread stopped: the kernel keeps their
    /// registers.
    #[must_use]
    pub fn system_call_arguments(&self) -> [u64; 6] {
        inspected::ARGUMENTS.map(|register| self.general[register])
    }
}
