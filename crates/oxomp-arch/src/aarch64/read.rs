//! What tools read of aarch64.

use crate::read::Facts;

pub(crate) const FACTS: Facts = Facts {
    name: "aarch64",
    elf: 183,
    // EM_ARM.
    narrow: 40,
    // R_AARCH64_RELATIVE and R_AARCH64_IRELATIVE.
    own_relocations: [1027, 1032],
    system_call: |_| None,
    calls: None,
};
