//! How code calls.

use core::ops::Range;

use super::instruction::{Instruction, LENGTH};
use crate::read::{Calls, Target};

pub(crate) const CALLS: A64 = A64;

/// The instructions before another one in which the value of its register is sought.
const MOST_BEFORE: usize = 1024;
/// The bytes before the end of a call in which its pointer is loaded.
const CALL: usize = 64;
/// The registers of an entry of a linkage table: the address of the pointer, and the pointer.
const PLACE: u8 = 16;
const POINTER: u8 = 17;

#[derive(Debug)]
pub(crate) struct A64;

impl Calls for A64 {
    fn argument(&self, number: usize) -> u8 {
        [0, 1, 2, 3][number]
    }

    fn called(&self, code: &[u8], end: usize, base: u64) -> Option<u64> {
        let at = end.checked_sub(LENGTH)?;
        Instruction::at(code, at)?.call(base.wrapping_add(at as u64))
    }

    fn begin_of_call(&self, code: &[u8], end: usize) -> Option<usize> {
        let at = end.checked_sub(LENGTH)?;
        Instruction::at(code, at)?.calls().then_some(at)
    }

    fn jump_at_end(&self, code: &[u8], base: u64) -> Option<u64> {
        let at = code.len().checked_sub(LENGTH)?;
        Instruction::at(code, at)?.jump(base.wrapping_add(at as u64))
    }

    fn jump_within(&self, code: &[u8], at: usize) -> Option<usize> {
        let target = usize::try_from(Instruction::at(code, at)?.jump(at as u64)?).ok()?;
        (target < code.len()).then_some(target)
    }

    fn leaves(&self, code: &[u8], at: usize, function: Range<u64>) -> bool {
        let Some(jump) = Instruction::at(code, at) else { return false };
        match (jump.jump(function.start.wrapping_add(at as u64)), jump.jump_register()) {
            (Some(target), _) => !function.contains(&target),
            // The jumps of a table within the function have no pointer at a fixed address.
            (_, Some(register)) => pointer_before(code, at, function.start, register).is_some(),
            _ => false,
        }
    }

    fn hides(&self, code: &[u8], at: usize, registers: &[u8]) -> bool {
        Instruction::at(code, at).is_some_and(|it| {
            let sets = |register: &u8| it.loads(*register) || it.selects(*register);
            it.calls() || registers.iter().any(sets)
        })
    }

    /// `add` to the page of an `adrp`, `adr`, or a constant.
    fn address_into(&self, code: &[u8], at: usize, base: u64, register: u8) -> Option<u64> {
        let it = Instruction::at(code, at)?;
        if it.destination() != register {
            return None;
        }
        if let Some((from, offset)) = it.sum() {
            return Some(page_before(code, at, base, from)?.wrapping_add(offset));
        }
        it.near_address(base.wrapping_add(at as u64)).or_else(|| constant(code, at))
    }

    fn lengths_of_address_into(&self) -> &'static [usize] {
        &[LENGTH]
    }

    fn copied_into(&self, code: &[u8], at: usize, register: u8) -> Option<u8> {
        let it = Instruction::at(code, at)?;
        it.copied().filter(|_| it.destination() == register)
    }

    fn longest_call(&self) -> usize {
        CALL
    }

    fn callee(&self, code: &[u8], end: u64) -> Option<Target> {
        let at = code.len().checked_sub(LENGTH)?;
        let base = end.wrapping_sub(code.len() as u64);
        let call = Instruction::at(code, at)?;
        if let Some(register) = call.call_register() {
            return pointer_before(code, at, base, register).map(Target::Through);
        }
        call.call(base.wrapping_add(at as u64)).map(Target::Function)
    }

    fn longest_entry(&self) -> usize {
        3 * LENGTH
    }

    fn linked(&self, code: &[u8], base: u64) -> Option<u64> {
        let at = if Instruction::at(code, 0)?.is_landing() { LENGTH } else { 0 };
        let [page, pointer] = [at, at + LENGTH].map(|at| Instruction::at(code, at));
        let (page, pointer) = (page?, pointer?);
        let (from, offset) = pointer.loaded()?;
        let registers = [page.destination(), from, pointer.destination()];
        let page = page.page(base.wrapping_add(at as u64))?;
        (registers == [PLACE, PLACE, POINTER]).then(|| page.wrapping_add(offset))
    }

    /// Whether the last instruction that stores the frame pointer and the link register, if any,
    /// comes behind the last one that restores them or returns.
    fn has_frame(&self, code: &[u8]) -> bool {
        let before = (0..code.len() / LENGTH).rev().map(|index| index * LENGTH);
        let mut frames = before.filter_map(|at| Instruction::at(code, at)?.frame());
        frames.next().unwrap_or(false)
    }

    fn longest_call_of_any_kind(&self) -> usize {
        LENGTH
    }

    fn may_end_with_call(&self, code: &[u8]) -> bool {
        let at = code.len().checked_sub(LENGTH);
        at.and_then(|at| Instruction::at(&code[at..], 0)).is_some_and(Instruction::calls)
    }
}

/// The last instruction before `at` that may have written `register`, and its position. Code that
/// another one jumps over counts as well.
fn last_write(code: &[u8], at: usize, register: u8) -> Option<(usize, Instruction)> {
    let before = (0..at / LENGTH).rev().take(MOST_BEFORE).map(|index| index * LENGTH);
    let mut instructions = before.filter_map(|at| Some((at, Instruction::at(code, at)?)));
    instructions.find(|(_, it)| it.may_write(register))
}

/// The address of the page that an instruction before `at` has put into `register`.
fn page_before(code: &[u8], at: usize, base: u64, register: u8) -> Option<u64> {
    let (at, it) = last_write(code, at, register)?;
    it.page(base.wrapping_add(at as u64))
}

/// The address of the pointer that an instruction before `at` has loaded into `register`, if that
/// is at a fixed place.
fn pointer_before(code: &[u8], at: usize, base: u64, register: u8) -> Option<u64> {
    let (at, it) = last_write(code, at, register)?;
    let (from, offset) = it.loaded()?;
    Some(page_before(code, at, base, from)?.wrapping_add(offset))
}

/// The constant that the instruction at `at` puts into its destination, with those before it.
fn constant(code: &[u8], at: usize) -> Option<u64> {
    /// Each instruction has sixteen bits.
    const MOST: usize = 4;
    let mut it = Instruction::at(code, at)?;
    let (mut at, register) = (at, it.destination());
    let (mut known, mut value) = (0, 0);
    for _ in 0..MOST {
        if let Some(first) = it.constant() {
            return Some(value | first & !known);
        }
        let (mask, part) = it.part_of_constant()?;
        value |= part & !known;
        known |= mask;
        (at, it) = last_write(code, at, register)?;
    }
    None
}

#[cfg(test)]
mod tests;
