//! Depend objects (`omp_depend_t`), which each family of compilers lays out in its own way.

use core::ffi::c_void;
use core::ptr;

use oxomp_core::task::{Dependence, DependenceKind, DependenceList};
use oxomp_sys::kmpc::{depend_flag, kmp_depend_info_t};

use oxomp_argument::{KmpDependObject, List};

/// The kinds of gcc's objects, numbered from 1.
const KINDS: [DependenceKind; 5] = [
    DependenceKind::In,
    DependenceKind::Out,
    DependenceKind::Inout,
    DependenceKind::Mutexinoutset,
    DependenceKind::Inoutset,
];

/// `omp_depend_t` of gcc and gfortran (rule A23).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GccDependObject {
    location: *const c_void,
    kind: usize,
}

impl GccDependObject {
    /// The dependence that the object represents; `None` if it was destroyed.
    pub fn dependence(self) -> Option<Dependence> {
        let kind = *KINDS.get(self.kind.wrapping_sub(1))?;
        Some(located(self.location, kind))
    }
}

/// A dependence on a location of gcc's; the address 0 is all memory.
pub fn located(location: *const c_void, kind: DependenceKind) -> Dependence {
    let kind = if ptr::eq(location, ptr::null()) { DependenceKind::AllMemory } else { kind };
    Dependence { location, kind }
}

/// The dependence that a compiler of LLVM describes; `None` without a known kind.
pub fn described(element: &kmp_depend_info_t) -> Option<Dependence> {
    // Compilers write the byte of the flags, and not the padding behind it.
    let location = ptr::without_provenance::<c_void>(element.base_addr as usize);
    kind(location, element.flags).map(|kind| Dependence { location, kind })
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

/// The dependences of `count` objects of gcc's.
///
/// # Safety
/// A3: `count` is the length of the list.
pub unsafe fn gcc_dependences(count: i32, objects: List<GccDependObject>) -> DependenceList {
    // SAFETY: A3, as this function demands.
    let objects = unsafe { objects.with(count) };
    objects.iter().filter_map(|object| object.dependence()).collect()
}

/// The dependences of `count` objects of clang's.
///
/// # Safety
/// A3: `count` is the length of the list.
pub unsafe fn kmp_dependences(count: i32, objects: List<KmpDependObject>) -> DependenceList {
    // SAFETY: A3, as this function demands.
    let objects = unsafe { objects.with(count) };
    objects.iter().flat_map(|object| object.elements()).filter_map(described).collect()
}
