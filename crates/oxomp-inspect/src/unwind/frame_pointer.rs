//! Leaving code that no table describes.

use oxomp_ompd_layout::Memory;

use super::known::{Known, RBP, RSP, word};
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
    let (Some(rbp), Some(rsp)) = (known.registers[RBP], known.registers[RSP]) else {
        return Err(PathEnd::NoTable);
    };
    if rbp % 8 != 0 || rbp < rsp || rbp - rsp > LARGEST_FRAME {
        return Err(PathEnd::NoTable);
    }
    let saved = word(stack, rbp).ok_or(PathEnd::Unreadable(rbp))?;
    let frame_address = rbp.checked_add(16).ok_or(PathEnd::NoTable)?;
    let pc = word(stack, rbp + 8).ok_or(PathEnd::Unreadable(rbp + 8))?;
    if pc != 0 && !is_code(pc) {
        return Err(PathEnd::NoTable);
    }
    let mut registers = [None; 16];
    registers[RBP] = Some(saved);
    registers[RSP] = Some(frame_address);
    Ok(Stepped { caller: Some(Known { pc, registers }), frame_address, signal: false })
}

/// The caller of an address without code: a call through a wrong pointer has pushed its return
/// address, and nothing else.
pub(super) fn called_nowhere(known: &Known, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
    let rsp = known.registers[RSP].ok_or(PathEnd::NoTable)?;
    let pc = word(stack, rsp).ok_or(PathEnd::Unreadable(rsp))?;
    let frame_address = rsp.checked_add(8).ok_or(PathEnd::Damaged)?;
    let mut registers = known.registers;
    registers[RSP] = Some(frame_address);
    Ok(Stepped { caller: Some(Known { pc, registers }), frame_address, signal: false })
}
