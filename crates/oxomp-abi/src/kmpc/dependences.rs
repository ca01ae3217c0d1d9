//! Lists of dependences, as clang and flang write them.

use core::ffi::c_void;
use core::ptr;

use oxomp_core::task::{Dependence, DependenceKind, DependenceList};
use oxomp_sys::kmpc::{depend_flag, kmp_depend_info_t};

use crate::argument::List;

/// The elements of the lists of a call; those without a known kind mean nothing.
///
/// # Safety
/// A3: each number is the length of the list beside it.
pub(super) unsafe fn read(lists: [(i32, List<kmp_depend_info_t>); 2]) -> DependenceList {
    let mut dependences = DependenceList::new();
    for (count, list) in lists {
        // SAFETY: A3, as this function demands.
        for element in unsafe { list.with(count) } {
            // Compilers write the byte of the flags, and not the padding behind it.
            let (address, flags) = (element.base_addr, element.flags);
            let location = ptr::without_provenance(address as usize);
            dependences.extend(kind(location, flags).map(|kind| Dependence { location, kind }));
        }
    }
    dependences
}

fn kind(location: *const c_void, flags: u8) -> Option<DependenceKind> {
    // Compilers passed the greatest address before there was a flag.
    if flags & depend_flag::ALL_MEMORY != 0 || location.addr() == usize::MAX {
        return Some(DependenceKind::AllMemory);
    }
    match flags {
        depend_flag::IN => Some(DependenceKind::In),
        depend_flag::OUT => Some(DependenceKind::Out),
        depend_flag::INOUT => Some(DependenceKind::Inout),
        depend_flag::MUTEXINOUTSET => Some(DependenceKind::Mutexinoutset),
        depend_flag::INOUTSET => Some(DependenceKind::Inoutset),
        _ => None,
    }
}
