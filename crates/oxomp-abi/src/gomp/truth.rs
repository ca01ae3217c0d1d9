//! The `_Bool` arguments of gcc's calls.

use core::ffi::c_int;

/// A `_Bool` argument: the low byte of its register is 0 or 1 (rule A26).
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
    fn no_entry_has_a_parameter_of_type_bool() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gomp");
        let mut entries = 0;
        for file in std::fs::read_dir(folder).expect("the sources") {
            let text = std::fs::read_to_string(file.expect("a source").path()).expect("its text");
            // What follows a return type is the body, which may have variables of the type.
            for entry in text.split("pub fn ").chain(text.split("pub unsafe fn ")).skip(1) {
                let Some((arguments, _)) = entry.split_once('{') else { continue };
                let is_entry = arguments.starts_with("GOMP_") || arguments.starts_with("$name");
                assert!(!(is_entry && arguments.contains(": bool")), "{arguments}");
                entries += usize::from(is_entry);
            }
        }
        assert!(entries > 60, "{entries} entries");
    }

    #[test]
    fn only_the_low_byte_counts() {
        for (register, value) in [(0, false), (1, true), (0x7fff_1200, false), (-0xff, true)] {
            assert_eq!(Truth(register).get(), value, "{register:#x}");
        }
    }
}
