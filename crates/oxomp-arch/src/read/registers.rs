//! Registers of stopped threads, of the [inspected](super::Machine::INSPECTED) processor.

use crate::x86_64::read::registers as inspected;

pub use inspected::{FRAME_POINTER, GENERAL, PRESERVED, RETURN_ADDRESS, STACK_POINTER};

/// The general registers of a stopped thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// By DWARF's numbers.
    pub general: [u64; GENERAL],
    /// The address of the next instruction.
    pub pc: u64,
    /// The number of the system call in which the thread stopped; `None` outside of any.
    pub system_call: Option<u64>,
}

impl Registers {
    /// The number of words that ptrace(2) and core files have of a thread's general registers.
    pub const WORDS: usize = inspected::WORDS;

    /// From the words of the kernel's structure, which ptrace(2) and core files have.
    #[must_use]
    pub fn from_words(words: &[u64; Self::WORDS]) -> Self {
        let (general, pc, system_call) = inspected::from_words(words);
        Self { general, pc, system_call }
    }

    /// The stack pointer.
    #[must_use]
    pub fn sp(&self) -> u64 {
        self.general[STACK_POINTER]
    }

    /// The result of a system call that has ended, or that the stop has interrupted.
    #[must_use]
    pub fn system_call_result(&self) -> i64 {
        self.general[inspected::RESULT].cast_signed()
    }

    /// The arguments of a system call in which the thread stopped: the kernel keeps their
    /// registers.
    #[must_use]
    pub fn system_call_arguments(&self) -> [u64; 6] {
        inspected::ARGUMENTS.map(|register| self.general[register])
    }
}
