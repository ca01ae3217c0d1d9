//! The steps of a walk, from a frame to its caller's.

use framehop::{FrameAddress, UnwindRegsNative, Unwinder};

use super::modules::Tables;
use super::sampler::{FRAMES, Walk};

/// The end of the outermost frame of a stack.
const NO_END: u64 = u64::MAX;

/// Adds the frames from `at` on, and where they end on the stack; true at the start of the thread.
/// Else `at` and `registers` are those of the frame whose caller is not known.
pub(super) fn follow(
    walk: &mut Walk,
    tables: &Tables,
    at: &mut FrameAddress,
    registers: &mut UnwindRegsNative,
    depth: &mut usize,
) -> bool {
    let Walk { cache: Some(cache), reader, frames, ends, .. } = walk else { return false };
    let mut read = |address| reader.word(address);
    while *depth < FRAMES {
        // The call is before the address to which it returns.
        frames[*depth] = at.address_for_lookup();
        // As long as the caller is not known.
        ends[*depth] = registers.sp();
        let end = &mut ends[*depth];
        *depth += 1;
        let mut next = *registers;
        match tables.unwinder.unwind_frame(*at, &mut next, cache, &mut read) {
            Ok(Some(address)) => {
                *end = next.sp();
                let Some(caller) = FrameAddress::from_return_address(address) else {
                    return tables.know(at.address_for_lookup());
                };
                (*at, *registers) = (caller, next);
            }
            Ok(None) if tables.know(at.address_for_lookup()) => {
                *end = NO_END;
                return true;
            }
            // The frame pointer of code without a table was 0.
            Ok(None) => return false,
            Err(_) => return false,
        }
    }
    false
}
