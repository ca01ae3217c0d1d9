//! Lists of dependences, as clang and flang write them.

use oxomp_core::task::DependenceList;
use oxomp_sys::kmpc::kmp_depend_info_t;

use crate::argument::{List, described};

/// The elements of the lists of a call; those without a known kind mean nothing.
///
/// # Safety
/// A3: each number is the length of the list beside it.
pub(super) unsafe fn read(lists: [(i32, List<kmp_depend_info_t>); 2]) -> DependenceList {
    let mut dependences = DependenceList::new();
    for (count, list) in lists {
        // SAFETY: A3, as this function demands.
        dependences.extend(unsafe { list.with(count) }.iter().filter_map(described));
    }
    dependences
}
