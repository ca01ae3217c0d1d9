//! Where the runtime's own code lies, and the names of regions without a return address of their
//! own in the program.

use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::inner;

static BEGIN: AtomicU64 = AtomicU64::new(0);
static END: AtomicU64 = AtomicU64::new(0);

/// The runtime is the module at `range`. Called once, before the first event. A reader that sees
/// only one of the two numbers takes no address for the runtime's.
pub(crate) fn lies_at(range: (u64, u64)) {
    END.store(range.1, Ordering::Relaxed);
    BEGIN.store(range.0, Ordering::Relaxed);
}

/// Whether the address is one of the runtime's code.
pub(crate) fn contains(code: u64) -> bool {
    let begin = BEGIN.load(Ordering::Relaxed);
    begin != 0 && (begin..END.load(Ordering::Relaxed)).contains(&code)
}

/// The code address under which a region is kept whose event has `code`, and which is inside a
/// region at `outer`.
#[inline]
pub(crate) fn of_inner_region(code: u64, outer: u64) -> u64 {
    let (address, _) = inner::parts(outer);
    if code == 0 || code == address || contains(code) { inner::inside(outer) } else { code }
}

#[cfg(test)]
mod tests {
    use super::{lies_at, of_inner_region};
    use oxomp_trace::inner::inside;

    #[test]
    fn an_inner_region_without_an_address_is_named_by_the_outer_one() {
        lies_at((0x1000, 0x2000));
        assert_eq!(of_inner_region(0x3000, 0x4000), 0x3000);
        for code in [0, 0x4000, 0x1fff] {
            assert_eq!(of_inner_region(code, 0x4000), inside(0x4000), "{code:#x}");
            let twice = of_inner_region(code, inside(0x4000));
            assert_eq!(twice, inside(inside(0x4000)), "{code:#x}");
        }
    }
}
