//! The `_Bool` arguments of gcc's calls.

use core::ffi::c_int;

/// A `_Bool` argument: the low byte of its register is 0 or 1.
///
/// The processor supplement of the ABI gives the other bytes no meaning, and gcc leaves in them
/// what was there before. A parameter of type `bool` must not stand in an entry: the compiler takes
/// for granted that the caller has cleared its register, as clang does.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Truth(c_int);

impl Truth {
    /// The argument's value.
    #[inline(always)]
    pub(super) fn get(self) -> bool {
        self.0 as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Truth;

    #[test]
    fn only_the_low_byte_counts() {
        for (register, value) in [(0, false), (1, true), (0x7fff_1200, false), (-0xff, true)] {
            assert_eq!(Truth(register).get(), value, "{register:#x}");
        }
    }
}
