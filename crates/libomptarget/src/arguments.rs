//! Arguments that several functions take, in the forms of the C interface.

use core::ffi::c_void;
use core::slice;

use oxomp_sys::kmpc::{ident_t, kmp_depend_info_t};
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::item::{ItemArrays, MapItem};
use oxomp_target::location::Location;
use oxomp_target::tool::CallSite;

/// A source location; may be null.
pub(crate) type Loc = *const ident_t;
/// An array of pointers.
pub(crate) type Pointers = *mut *mut c_void;

/// The location of a construct, which the program enters by the call at `site`.
///
/// # Safety
/// `loc` is null or a compiler's source location.
pub(crate) unsafe fn location(loc: Loc, site: CallSite) -> Location<'static> {
    // SAFETY: compilers' source locations are constants of the program (`# Safety`).
    unsafe { Location::new(loc).called_at(site) }
}

/// The items of a construct.
///
/// # Safety
/// The compiler made the arrays for the construct that makes the call.
pub(crate) unsafe fn items(
    count: i32,
    bases: Pointers,
    begins: Pointers,
    sizes: *const i64,
    types: *const i64,
    names: Pointers,
    mappers: Pointers,
) -> Vec<MapItem> {
    let count = usize::try_from(count).unwrap_or(0);
    if bases.is_null() || begins.is_null() || sizes.is_null() || types.is_null() {
        return Vec::new();
    }
    let arrays = ItemArrays { count, bases, begins, sizes, types, names, mappers };
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { arrays.read() }
}

/// Waits for the dependences of a call.
///
/// # Safety
/// The lists have so many dependences.
pub(crate) unsafe fn wait_for(count: i32, list: *const c_void, more: i32, others: *const c_void) {
    for (count, list) in [(count, list), (more, others)] {
        let count = usize::try_from(count).unwrap_or(0);
        if count == 0 || list.is_null() {
            continue;
        }
        // SAFETY: so many dependences stand there (`# Safety`).
        unsafe {
            let list = slice::from_raw_parts(list.cast::<kmp_depend_info_t>(), count);
            HostRuntime::get().wait_for(list);
        }
    }
}
