//! Arguments that several functions take, a type for each shape. The README has the rules, on which
//! the `SAFETY` comments rely; those that begin with A are in the README of `oxomp-argument`.

use oxomp_argument::{KmpDependObject, List};
use oxomp_sys::kmpc::{ident_t, kmp_depend_info_t};
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::location::Location;
use oxomp_target::tool::CallSite;

/// `ident_t *`: a source location; null without one (rule T1).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Loc(*const ident_t);

impl Loc {
    /// The location of a construct, which the program enters by the call at `site`.
    pub(crate) fn called_at(self, site: CallSite) -> Location<'static> {
        // SAFETY: T1: null or a constant of the program.
        unsafe { Location::new(self.0) }.called_at(site)
    }
}

/// Waits for the dependences of a call.
///
/// # Safety
/// A3: each number is the length of the list behind it.
pub(crate) unsafe fn wait_for(
    count: i32,
    list: List<kmp_depend_info_t>,
    more: i32,
    others: List<kmp_depend_info_t>,
) {
    // SAFETY: A3, as this function demands.
    let lists = unsafe { [list.with(count), others.with(more)] };
    lists.into_iter().for_each(|list| HostRuntime::get().wait_for(list));
}

/// The dependences of `count` depend objects.
///
/// # Safety
/// A3: `count` is the length of the list.
pub(crate) unsafe fn dependences(
    count: i32,
    objects: List<KmpDependObject>,
) -> Vec<kmp_depend_info_t> {
    // SAFETY: A3, as this function demands.
    let objects = unsafe { objects.with(count) };
    objects.iter().flat_map(|object| object.elements()).copied().collect()
}
