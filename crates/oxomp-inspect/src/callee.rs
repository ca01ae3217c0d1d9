//! The function that a call called, by the code before the address to which the call returns.
//!
//! A function that ends by a jump to another one leaves no frame of its own; and where only
//! exported functions have names, the other one may have no name. The call tells which function the
//! caller meant.

use crate::image::Image;

/// The length of `call *offset(%rip)`, the longest call that is known.
const LONGEST: usize = 6;
/// The first byte of a near call, `call offset`, which has five.
const NEAR_CALL: u8 = 0xe8;
/// The beginning of `call *offset(%rip)`.
const CALL_THROUGH_POINTER: [u8; 2] = [0xff, 0x15];
/// The beginning of `jmp *offset(%rip)`.
const JUMP_THROUGH_POINTER: [u8; 2] = [0xff, 0x25];
/// `endbr64`, which may stand at the beginning of an entry of a linkage table.
const LANDING: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
/// The prefix of a jump by which older linkage tables tell of its bounds.
const BOUNDED: u8 = 0xf2;

impl Image {
    /// The address of the function that the call before `return_address` called, also through an
    /// entry of a procedure linkage table. `None` for a call through a register or an object.
    ///
    /// This crate cannot tell whether the bytes there are code: the caller compares the address
    /// with the functions that it knows.
    #[must_use]
    pub fn callee(&self, return_address: u64) -> Option<u64> {
        let begin = return_address.checked_sub(LONGEST as u64)?;
        let code = self.memory.bytes(begin, LONGEST)?;
        let offset = code[2..].try_into().ok().map(i32::from_le_bytes)?;
        let named = return_address.wrapping_add_signed(offset.into());
        if code.starts_with(&CALL_THROUGH_POINTER) {
            return self.memory.word(named);
        }
        if code[1] != NEAR_CALL {
            return None;
        }
        Some(self.behind_linkage(named).unwrap_or(named))
    }

    /// The function to which the entry of a linkage table at `entry` jumps.
    fn behind_linkage(&self, entry: u64) -> Option<u64> {
        let mut at = entry;
        if self.memory.bytes(at, LANDING.len())? == LANDING {
            at = at.checked_add(LANDING.len() as u64)?;
        }
        if self.memory.bytes(at, 1)? == [BOUNDED] {
            at = at.checked_add(1)?;
        }
        let jump = self.memory.bytes(at, LONGEST)?;
        if !jump.starts_with(&JUMP_THROUGH_POINTER) {
            return None;
        }
        let offset = jump[2..].try_into().ok().map(i32::from_le_bytes)?;
        let behind = at.checked_add(LONGEST as u64)?;
        self.memory.word(behind.wrapping_add_signed(offset.into()))
    }
}
