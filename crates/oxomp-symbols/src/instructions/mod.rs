//! What a function's instructions do to memory, around one of them.
//!
//! This room knows a processor, although it is outside of `oxomp-arch`: it needs the decoder of
//! `iced-x86`, and the runtime, which contains `oxomp-arch`, must not contain that. As an optional
//! dependency of `oxomp-arch` the decoder would still come into the runtime in a build of the whole
//! workspace, since cargo gives a crate the features that any of its users asks for. A port has a
//! second module of this form, and [`Instructions::decode`] chooses by the machine.

use oxomp_arch::read::Machine;

mod access;
mod atomic;
mod decoded;
mod spin;
mod straight_code;

pub use access::MemoryAccess;
pub use atomic::AtomicUpdate;

use decoded::Decoded;

/// The instructions of a function, decoded once however many of its addresses are asked for.
#[derive(Debug)]
pub(crate) struct Instructions(Decoded);

impl Instructions {
    /// Those of the function that begins at `begin` and has this `code`; `None` if instructions of
    /// the machine are not known.
    pub(crate) fn decode(machine: Machine, code: &[u8], begin: u64) -> Option<Self> {
        (machine == Machine::X86_64).then(|| Self(Decoded::new(code, begin)))
    }

    /// The atomic update of memory at `address`, or directly before it.
    pub(crate) fn atomic_update(&self, address: u64) -> Option<AtomicUpdate> {
        atomic::update_at(&self.0, address)
    }

    /// What the instructions around the one at `address` use in memory.
    pub(crate) fn accesses_around(&self, address: u64) -> Vec<MemoryAccess> {
        access::accesses_around(&self.0, address)
    }

    /// The begin of the loop around `address` that waits for memory to change.
    pub(crate) fn spin_loop(&self, address: u64) -> Option<u64> {
        spin::spin_at(&self.0, address)
    }
}
