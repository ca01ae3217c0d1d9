//! Lists of dependences, as clang and flang write them.

use core::ffi::c_void;
use core::ptr;

use oxomp_core::task::{Dependence, DependenceKind, DependenceList};
use oxomp_sys::kmpc::{depend_flag, kmp_depend_info_t};

/// The elements of the two lists of a call; those without a known kind mean nothing.
///
/// # Safety
/// The lists have as many elements as the numbers say.
pub(super) unsafe fn read(
    count: i32,
    list: *const kmp_depend_info_t,
    noalias_count: i32,
    noalias_list: *const kmp_depend_info_t,
) -> DependenceList {
    let mut dependences = DependenceList::new();
    for (count, list) in [(count, list), (noalias_count, noalias_list)] {
        for index in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: by contract. Of the flags only the byte is written by compilers.
            let (location, flags) = unsafe {
                let element = list.add(index);
                ((*element).base_addr, (*element).flags)
            };
            let location = ptr::without_provenance(location as usize);
            dependences.extend(kind(location, flags).map(|kind| Dependence { location, kind }));
        }
    }
    dependences
}

fn kind(location: *const c_void, flags: u8) -> Option<DependenceKind> {
    // The second is how compilers said it before there was a flag.
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
