//! Leaving code that no table describes.

use oxomp_arch::read::dwarf::{FRAME_POINTER, GENERAL, LINK, STACK_POINTER, code_address};
use oxomp_ompd_layout::Memory;

use super::known::{Known, word};
use super::path_end::PathEnd;
use super::stepped::Stepped;

/// The largest frame that is believed.
const LARGEST_FRAME: u64 = 1 << 26;

/// The caller by the frame pointer, if that points to a frame: a return address into code above the
/// saved pointer.
///
/// Where a call pushes its return address, that is the last word of the frame. Elsewhere the two
/// words may lie anywhere in the frame, whose end is not known then.
pub(super) fn step(
    known: &Known,
    stack: &dyn Memory,
    is_code: impl Fn(u64) -> bool,
) -> Result<Stepped, PathEnd> {
    let frame = known.registers[FRAME_POINTER].ok_or(PathEnd::NoTable)?;
    let top = known.registers[STACK_POINTER].unwrap_or(frame);
    if frame == 0 || frame % 8 != 0 || frame < top || frame - top > LARGEST_FRAME {
        return Err(PathEnd::NoTable);
    }
    let saved = word(stack, frame).ok_or(PathEnd::Unreadable(frame))?;
    let above = frame.checked_add(16).ok_or(PathEnd::NoTable)?;
    let pc = code_address(word(stack, frame + 8).ok_or(PathEnd::Unreadable(frame + 8))?);
    if pc != 0 && !is_code(pc) {
        return Err(PathEnd::NoTable);
    }
    let frame_address = LINK.is_none().then_some(above);
    let mut registers = [None; GENERAL];
    registers[FRAME_POINTER] = Some(saved);
    registers[STACK_POINTER] = frame_address;
    let caller = Some(Known { pc, registers });
    Ok(Stepped { caller, frame_address, above, signal: false })
}

/// The caller of a function of no table in which a thread stands. If calls leave their return
/// address in a register, a function that makes none has it there, and no frame; `has_frame` tells
/// what the function's code shows of that.
pub(super) fn step_of_innermost(
    known: &Known,
    stack: &dyn Memory,
    is_code: impl Fn(u64) -> bool,
    has_frame: impl FnOnce() -> bool,
) -> Result<Stepped, PathEnd> {
    match known.link() {
        Some(link) if is_code(link) && !has_frame() => called_nowhere(known, stack),
        _ => step(known, stack, is_code),
    }
}

/// The caller of an address without code: a call through a wrong pointer has left its return
/// address, and nothing else.
pub(super) fn called_nowhere(known: &Known, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
    let top = known.registers[STACK_POINTER].ok_or(PathEnd::NoTable)?;
    let (pc, above) = match known.link() {
        Some(link) => (link, top),
        None => {
            let pushed = word(stack, top).ok_or(PathEnd::Unreadable(top))?;
            (pushed, top.checked_add(8).ok_or(PathEnd::Damaged)?)
        }
    };
    let mut caller = Known { pc, ..*known };
    caller.registers[STACK_POINTER] = Some(above);
    caller.forget_link();
    Ok(Stepped { caller: Some(caller), frame_address: Some(above), above, signal: false })
}

#[cfg(test)]
mod tests {
    use oxomp_arch::read::dwarf::{FRAME_POINTER, GENERAL, LINK, STACK_POINTER};

    use super::super::known::{Known, Words};
    use super::super::path_end::PathEnd;
    use super::{called_nowhere, step, step_of_innermost};

    /// A frame at 0x1000 of a function that 0x50_0004 has called.
    const STACK: Words = Words(&[(0xff0, 0x50_0008), (0x1000, 0x2000), (0x1008, 0x50_0004)]);

    fn is_code(address: u64) -> bool {
        (0x50_0000..0x60_0000).contains(&address)
    }

    fn known(frame: u64, link: Option<u64>) -> Known {
        let mut registers = [None; GENERAL];
        registers[FRAME_POINTER] = Some(frame);
        registers[STACK_POINTER] = Some(0xff0);
        if let Some(register) = LINK {
            registers[register] = link;
        }
        Known { pc: 0x50_1000, registers }
    }

    #[test]
    fn a_frame_pointer_leads_to_the_caller() {
        let stepped = step(&known(0x1000, None), &STACK, is_code).unwrap();
        let caller = stepped.caller.unwrap();
        assert_eq!((caller.pc, stepped.above), (0x50_0004, 0x1010));
        assert_eq!(caller.registers[FRAME_POINTER], Some(0x2000));
        let expected = LINK.is_none().then_some(0x1010);
        assert_eq!((stepped.frame_address, caller.registers[STACK_POINTER]), (expected, expected));
        for nothing in [0, 0x800, 0x1001] {
            assert_eq!(step(&known(nothing, None), &STACK, is_code), Err(PathEnd::NoTable));
        }
    }

    #[test]
    fn the_innermost_function_may_have_its_caller_in_a_register() {
        let by_link = known(0x1000, Some(0x50_000c));
        let caller = |has_frame| {
            let stepped = step_of_innermost(&by_link, &STACK, is_code, || has_frame);
            stepped.unwrap().caller.unwrap()
        };
        assert_eq!(caller(true).pc, 0x50_0004);
        if LINK.is_some() {
            assert_eq!(caller(false).pc, 0x50_000c);
            assert_eq!(caller(false).registers[FRAME_POINTER], Some(0x1000), "it is the caller's");
            assert_eq!(caller(false).link(), None);
        }
    }

    #[test]
    fn a_call_of_no_code_has_left_its_return_address_only() {
        let stepped = called_nowhere(&known(0x1000, Some(0x50_0008)), &STACK).unwrap();
        assert_eq!(stepped.caller.unwrap().pc, 0x50_0008);
        let pushed = if LINK.is_none() { 8 } else { 0 };
        assert_eq!(stepped.frame_address, Some(0xff0 + pushed));
    }
}
