//! Leaving the frame that the kernel made to call a signal's handler, where no table describes it.

use oxomp_arch::read::Registers;
use oxomp_arch::read::dwarf::{SIGNAL_RETURN, STACK_POINTER};
use oxomp_ompd_layout::Memory;

use super::known::{Known, word};
use super::path_end::PathEnd;
use super::stepped::Stepped;

/// The interrupted code, if the handler returns to the kernel's code for that; `None` for any other
/// code, and if the walk has lost the stack pointer.
pub(super) fn step(
    known: &Known,
    code: &dyn Memory,
    stack: &dyn Memory,
) -> Option<Result<Stepped, PathEnd>> {
    let (expected, offset) = SIGNAL_RETURN?;
    let mut found = [0; 8];
    let is_it = code.read(known.pc, &mut found) && found == expected;
    let top = known.registers[STACK_POINTER].filter(|_| is_it)?;
    Some(interrupted(top, offset, stack))
}

/// The code whose registers the kernel keeps at `offset` above the stack pointer, `top`.
fn interrupted(top: u64, offset: u64, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
    let at = top.checked_add(offset).ok_or(PathEnd::Damaged)?;
    let mut words = [0; Registers::WORDS];
    for (place, value) in (at..).step_by(8).zip(&mut words) {
        *value = word(stack, place).ok_or(PathEnd::Unreadable(place))?;
    }
    let registers = Registers::from_words(&words);
    let sp = registers.sp();
    let caller = Some(Known::all(&registers));
    Ok(Stepped { caller, frame_address: Some(sp), above: sp, signal: true })
}

#[cfg(test)]
mod tests {
    use oxomp_arch::read::dwarf::{GENERAL, SIGNAL_RETURN, STACK_POINTER};

    use super::super::known::{Known, Words};
    use super::step;

    #[test]
    fn the_interrupted_code_is_found_above_the_stack_pointer() {
        let Some((code, offset)) = SIGNAL_RETURN else { return };
        let begin = 0x7fff_1000 + offset;
        let mut words = vec![(0x50_0000, u64::from_le_bytes(code))];
        words.extend((begin..).step_by(8).zip(0..=STACK_POINTER as u64 + 2));
        let mut registers = [None; GENERAL];
        registers[STACK_POINTER] = Some(0x7fff_1000);
        let at = |pc| step(&Known { pc, registers }, &Words(&words), &Words(&words));
        let stepped = at(0x50_0000).unwrap().unwrap();
        let caller = stepped.caller.unwrap();
        assert!(stepped.signal);
        assert_eq!(caller.registers, std::array::from_fn(|number| Some(number as u64)));
        assert_eq!(caller.pc, STACK_POINTER as u64 + 1, "the word behind the stack pointer's");
        assert_eq!(stepped.frame_address, Some(STACK_POINTER as u64));
        assert_eq!(at(0x50_0008), None, "other code");
    }
}
