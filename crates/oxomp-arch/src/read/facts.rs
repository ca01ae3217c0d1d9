//! What a processor's folder tells of it.

use super::calls::Calls;
use super::system_call::SystemCall;

/// What differs from processor to processor.
pub(crate) struct Facts {
    /// The name that Linux gives it.
    pub(crate) name: &'static str,
    /// `e_machine` of its binaries.
    pub(crate) elf: u16,
    /// `e_machine` of the binaries of 32 bits that the kernel runs on it too.
    pub(crate) narrow: u16,
    /// The kinds of relocations whose value is an address of the binary itself: the address of
    /// data, or of a function that selects a function.
    pub(crate) own_relocations: [u32; 2],
    /// A system call by its number; `None` for those that nobody asks for.
    pub(crate) system_call: fn(u64) -> Option<SystemCall>,
    /// How its code calls.
    pub(crate) calls: Option<&'static dyn Calls>,
}
