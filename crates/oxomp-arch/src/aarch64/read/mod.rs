//! What tools read of aarch64.

use crate::read::Facts;

mod calls;
mod instruction;
#[cfg(target_arch = "aarch64")]
pub(crate) mod registers;
mod system_calls;

pub(crate) const FACTS: Facts = Facts {
    name: "aarch64",
    elf: 183,
    // EM_ARM.
    narrow: 40,
    // R_AARCH64_RELATIVE and R_AARCH64_IRELATIVE.
    own_relocations: [1027, 1032],
    system_call: system_calls::system_call,
    calls: Some(&calls::CALLS),
};
