//! What tools read of x86_64.

use crate::read::Facts;

mod calls;
#[cfg(target_arch = "x86_64")]
pub(crate) mod registers;
mod system_calls;

pub(crate) const FACTS: Facts = Facts {
    name: "x86_64",
    elf: 62,
    // EM_386.
    narrow: 3,
    // R_X86_64_RELATIVE and R_X86_64_IRELATIVE.
    own_relocations: [8, 37],
    system_call: system_calls::system_call,
    calls: Some(&calls::CALLS),
};
