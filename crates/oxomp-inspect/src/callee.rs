//! The function that a call called, by the code before the address to which the call returns.
//!
//! A function that ends by a jump to another one leaves no frame of its own; and where only
//! exported functions have names, the other one may have no name. The call tells which function the
//! caller meant.

use oxomp_arch::read::{Calls, Machine, Target};

use crate::image::Image;

impl Image {
    /// The address of the function that the call before `return_address` called, also through an
    /// entry of a procedure linkage table. `None` for a call through a register or an object.
    ///
    /// This crate cannot tell whether the bytes there are code: the caller compares the address
    /// with the functions that it knows.
    #[must_use]
    pub fn callee(&self, return_address: u64) -> Option<u64> {
        let calls = Machine::INSPECTED.calls()?;
        let begin = return_address.checked_sub(calls.longest_call() as u64)?;
        let code = self.memory.bytes(begin, calls.longest_call())?;
        match calls.callee(&code, return_address)? {
            Target::Through(pointer) => self.memory.word(pointer),
            Target::Function(named) => Some(self.behind_linkage(calls, named).unwrap_or(named)),
        }
    }

    /// The function to which the entry of a linkage table at `entry` jumps.
    fn behind_linkage(&self, calls: &dyn Calls, entry: u64) -> Option<u64> {
        let code = self.memory.bytes(entry, calls.longest_entry())?;
        self.memory.word(calls.linked(&code, entry)?)
    }
}
