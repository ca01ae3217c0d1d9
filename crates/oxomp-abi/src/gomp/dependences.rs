//! Arrays of dependences, as gcc and gfortran write them.

use core::ffi::c_void;
use core::ptr;
use core::slice;

use oxomp_core::task::{Dependence, DependenceKind, DependenceList};

/// The kinds of an `omp_depend_t` of gcc's, numbered from 1.
const KINDS: [DependenceKind; 5] = [
    DependenceKind::In,
    DependenceKind::Out,
    DependenceKind::Inout,
    DependenceKind::Mutexinoutset,
    DependenceKind::Inoutset,
];

/// Reads an array: `{count, outs, addresses…}`, or since gcc 9
/// `{0, count, outs, mutexinoutsets, ins, addresses…, objects…}`.
///
/// # Safety
/// `array` is such an array.
pub(super) unsafe fn read(array: *const *const c_void) -> DependenceList {
    // SAFETY: by contract.
    let word = |index: usize| unsafe { *array.add(index) };
    let (counts, header) = if word(0).is_null() {
        let (count, outs, exclusive, ins) = (1, 2, 3, 4);
        ([count, outs, exclusive, ins].map(|index| word(index).addr()), 5)
    } else {
        let (count, outs) = (word(0).addr(), word(1).addr());
        ([count, outs, 0, count - outs], 2)
    };
    let [count, outs, exclusive, ins] = counts;
    // SAFETY: by contract.
    let elements = unsafe { slice::from_raw_parts(array.add(header), count) };
    let mut list = DependenceList::with_capacity(count);
    for (index, element) in elements.iter().enumerate() {
        let kind = if index < outs {
            DependenceKind::Inout
        } else if index < outs + exclusive {
            DependenceKind::Mutexinoutset
        } else if index < outs + exclusive + ins {
            DependenceKind::In
        } else {
            // SAFETY: the address of an `omp_depend_t`: an address and a kind.
            let (location, kind) = unsafe { element.cast::<(*const c_void, usize)>().read() };
            list.extend(KINDS.get(kind.wrapping_sub(1)).map(|kind| dependence(location, *kind)));
            continue;
        };
        list.push(dependence(*element, kind));
    }
    list
}

/// All memory is the address 0.
fn dependence(location: *const c_void, kind: DependenceKind) -> Dependence {
    let kind = if ptr::eq(location, ptr::null()) { DependenceKind::AllMemory } else { kind };
    Dependence { location, kind }
}
