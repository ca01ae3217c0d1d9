//! How code calls.

use core::ops::Range;

use crate::read::{Calls, Target};

pub(crate) const CALLS: X86 = X86;

/// The first byte of a near call, `call offset`, which has five.
const NEAR_CALL: u8 = 0xe8;
/// The first byte of a near jump, `jmp offset`, which has five.
const NEAR_JUMP: u8 = 0xe9;
/// The first byte of a short jump, which has two.
const SHORT_JUMP: u8 = 0xeb;
/// The bytes of a near call or jump.
const NEAR: usize = 5;
/// The beginning of `call *offset(%rip)`.
const CALL_THROUGH_POINTER: [u8; 2] = [0xff, 0x15];
/// The beginning of `jmp *offset(%rip)`.
const JUMP_THROUGH_POINTER: [u8; 2] = [0xff, 0x25];
/// The bytes of a call or jump through a pointer.
const THROUGH_POINTER: usize = 6;
/// `endbr64`, which may stand at the beginning of an entry of a linkage table.
const LANDING: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
/// The prefix of a jump by which older linkage tables tell of its bounds.
const BOUNDED: u8 = 0xf2;

#[derive(Debug)]
pub(crate) struct X86;

impl Calls for X86 {
    fn argument(&self, number: usize) -> u8 {
        // rdi, rsi, rdx, rcx.
        [7, 6, 2, 1][number]
    }

    fn called(&self, code: &[u8], end: usize, base: u64) -> Option<u64> {
        (*code.get(end.checked_sub(NEAR)?)? == NEAR_CALL).then(|| relative(code, end, base))?
    }

    fn begin_of_call(&self, code: &[u8], end: usize) -> Option<usize> {
        let through_pointer = end.checked_sub(THROUGH_POINTER)?;
        if code.get(through_pointer..)?.starts_with(&CALL_THROUGH_POINTER) {
            return Some(through_pointer);
        }
        Some(end - NEAR)
    }

    fn jump_at_end(&self, code: &[u8], base: u64) -> Option<u64> {
        jump_target(code, code.len().checked_sub(NEAR)?, base)
    }

    fn jump_within(&self, code: &[u8], at: usize) -> Option<usize> {
        match *code.get(at)? {
            SHORT_JUMP => {
                let distance = i8::from_le_bytes([*code.get(at + 1)?]);
                (at + 2).checked_add_signed(distance.into())
            }
            NEAR_JUMP => usize::try_from(jump_target(code, at, 0)?).ok(),
            _ => None,
        }
    }

    fn leaves(&self, code: &[u8], at: usize, function: Range<u64>) -> bool {
        match jump_target(code, at, function.start) {
            Some(target) => !function.contains(&target),
            None => code[at..].starts_with(&JUMP_THROUGH_POINTER),
        }
    }

    fn hides(&self, code: &[u8], at: usize, registers: &[u8]) -> bool {
        let code = &code[at..];
        let loads = |register: &u8| {
            matches!(*code, [0x48 | 0x49, 0x8b, operands, ..]
                if operands >> 3 & 7 == *register && operands < 0b1100_0000)
        };
        // A near call of a place less than 16 MiB away.
        let near = matches!(*code, [NEAR_CALL, _, _, _, 0x00 | 0xff, ..]);
        near || code.starts_with(&CALL_THROUGH_POINTER) || registers.iter().any(loads)
    }

    /// `lea` relative to the instruction, or a constant.
    fn address_into(&self, code: &[u8], at: usize, base: u64, register: u8) -> Option<u64> {
        let (low, high) = (register & 7, register >> 3);
        let here = code.get(at..)?;
        if here.starts_with(&[0x48 | high << 2, 0x8d, 0x05 | low << 3]) {
            return relative(code, at + 7, base);
        }
        let constant = match high {
            0 if here.first() == Some(&(0xb8 | low)) => here.get(1..5),
            1 if here.starts_with(&[0x41, 0xb8 | low]) => here.get(2..6),
            _ => None,
        };
        constant?.try_into().ok().map(u32::from_le_bytes).map(u64::from)
    }

    fn lengths_of_address_into(&self) -> &'static [usize] {
        &[7, 6, 5]
    }

    fn copied_into(&self, code: &[u8], at: usize, register: u8) -> Option<u8> {
        let [prefix @ (0x48 | 0x4c), 0x89, operands] = *code.get(at..at + 3)? else { return None };
        let into_it = operands & 0b1100_0111 == 0b1100_0000 | register;
        into_it.then_some((operands >> 3 & 7) | (prefix >> 2 & 1) << 3)
    }

    fn longest_call(&self) -> usize {
        THROUGH_POINTER
    }

    fn callee(&self, code: &[u8], end: u64) -> Option<Target> {
        let offset = code.get(2..THROUGH_POINTER)?.try_into().ok().map(i32::from_le_bytes)?;
        let named = end.wrapping_add_signed(offset.into());
        if code.starts_with(&CALL_THROUGH_POINTER) {
            return Some(Target::Through(named));
        }
        (code[1] == NEAR_CALL).then_some(Target::Function(named))
    }

    fn longest_entry(&self) -> usize {
        LANDING.len() + 1 + THROUGH_POINTER
    }

    fn linked(&self, code: &[u8], base: u64) -> Option<u64> {
        let mut jump = code.strip_prefix(&LANDING).unwrap_or(code);
        jump = jump.strip_prefix(&[BOUNDED]).unwrap_or(jump);
        let begin = base.checked_add((code.len() - jump.len()) as u64)?;
        let offset = jump.strip_prefix(&JUMP_THROUGH_POINTER)?.first_chunk()?;
        let end = begin.checked_add(THROUGH_POINTER as u64)?;
        Some(end.wrapping_add_signed(i32::from_le_bytes(*offset).into()))
    }

    /// The call itself has stored the address.
    fn has_frame(&self, _: &[u8]) -> bool {
        true
    }

    fn longest_call_of_any_kind(&self) -> usize {
        7
    }

    fn may_end_with_call(&self, code: &[u8]) -> bool {
        const INDIRECT: u8 = 0xff;
        /// The bits of the second byte that make it a call.
        const KIND: u8 = 0b0011_1000;
        const CALL: u8 = 0b0001_0000;
        let is_indirect = |length: usize| {
            let at = code.len() - length;
            code[at] == INDIRECT && code[at + 1] & KIND == CALL
        };
        code[code.len() - NEAR] == NEAR_CALL || [2, 3, 4, 6, 7].into_iter().any(is_indirect)
    }
}

/// The sum of `base + end` and the signed 32-bit number at `end - 4`.
fn relative(code: &[u8], end: usize, base: u64) -> Option<u64> {
    let number = code.get(end.checked_sub(4)?..end)?.try_into().ok().map(i32::from_le_bytes)?;
    Some(base.wrapping_add(end as u64).wrapping_add_signed(number.into()))
}

/// The target of the near jump at `at`.
fn jump_target(code: &[u8], at: usize, base: u64) -> Option<u64> {
    (*code.get(at)? == NEAR_JUMP).then(|| relative(code, at + NEAR, base))?
}

#[cfg(test)]
mod tests {
    use super::{CALLS, Calls, Target};

    #[test]
    fn a_call_names_a_function_or_a_pointer_to_it() {
        // nop; call -0x100; and call *0x20(%rip).
        let near = [0x90, 0xe8, 0x00, 0xff, 0xff, 0xff];
        assert_eq!(CALLS.callee(&near, 0x2000), Some(Target::Function(0x1f00)));
        let through = [0xff, 0x15, 0x20, 0, 0, 0];
        assert_eq!(CALLS.callee(&through, 0x2000), Some(Target::Through(0x2020)));
        assert_eq!(CALLS.callee(&[0x90; 6], 0x2000), None);
    }

    #[test]
    fn an_entry_of_a_linkage_table_jumps_through_a_pointer() {
        let jump = [0xff, 0x25, 0x10, 0, 0, 0];
        let entry = |before: &[u8]| {
            let mut code = [0x90; 11];
            code[..before.len()].copy_from_slice(before);
            code[before.len()..before.len() + jump.len()].copy_from_slice(&jump);
            CALLS.linked(&code, 0x1000)
        };
        assert_eq!(entry(&[]), Some(0x1016));
        assert_eq!(entry(&[0xf3, 0x0f, 0x1e, 0xfa]), Some(0x101a));
        assert_eq!(entry(&[0xf3, 0x0f, 0x1e, 0xfa, 0xf2]), Some(0x101b));
        assert_eq!(CALLS.linked(&[0x90; 11], 0x1000), None);
    }

    #[test]
    fn any_kind_of_call_may_end_the_code() {
        // call offset; call *%rax; call *8(%rax)
        for code in
            [[0, 0, 0xe8, 1, 2, 3, 4], [0, 0, 0, 0, 0, 0xff, 0xd0], [0, 0, 0, 0, 0xff, 0x50, 8]]
        {
            assert!(CALLS.may_end_with_call(&code), "{code:x?}");
        }
        assert!(!CALLS.may_end_with_call(&[0x90; 7]));
    }
}
