//! Leaving code that no table describes.

use oxomp_arch::read::dwarf::{FRAME_POINTER, GENERAL, STACK_POINTER};
use oxomp_ompd_layout::Memory;

use super::known::{Known, word};
use super::path_end::PathEnd;
use super::table::Stepped;

/// The largest frame that is believed.
const LARGEST_FRAME: u64 = 1 << 26;

/// The caller by the frame pointer, if that points to a frame: a return address into code above the
/// saved pointer.
pub(super) fn step(
    known: &Known,
    stack: &dyn Memory,
    is_code: impl Fn(u64) -> bool,
) -> Result<Stepped, PathEnd> {
    let (frame, top) = (known.registers[FRAME_POINTER], known.registers[STACK_POINTER]);
    let (Some(frame), Some(top)) = (frame, top) else {
        return Err(PathEnd::NoTable);
    };
    if frame % 8 != 0 || frame < top || frame - top > LARGEST_FRAME {
        return Err(PathEnd::NoTable);
    }
    let saved = word(stack, frame).ok_or(PathEnd::Unreadable(frame))?;
    let frame_address = frame.checked_add(16).ok_or(PathEnd::NoTable)?;
    let pc = word(stack, frame + 8).ok_or(PathEnd::Unreadable(frame + 8))?;
    if pc != 0 && !is_code(pc) {
        return Err(PathEnd::NoTable);
    }
    let mut registers = [None; GENERAL];
    registers[FRAME_POINTER] = Some(saved);
    registers[STACK_POINTER] = Some(frame_address);
    Ok(Stepped { caller: Some(Known { pc, registers }), frame_address, signal: false })
}

/// The caller of an address without code: a call through a wrong pointer has pushed its return
/// address, and nothing else.
pub(super) fn called_nowhere(known: &Known, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
    let top = known.registers[STACK_POINTER].ok_or(PathEnd::NoTable)?;
    let pc = word(stack, top).ok_or(PathEnd::Unreadable(top))?;
    let frame_address = top.checked_add(8).ok_or(PathEnd::Damaged)?;
    let mut registers = known.registers;
    registers[STACK_POINTER] = Some(frame_address);
    Ok(Stepped { caller: Some(Known { pc, registers }), frame_address, signal: false })
}
