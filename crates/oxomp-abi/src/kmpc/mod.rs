//! The calls that clang and flang emit.

use oxomp_core::{CallSite, consistency};
use oxomp_sys::kmpc::ident_t;

pub mod atomic;
mod dependences;
pub mod error;
pub mod locks;
pub mod loops;
pub mod memory;
pub mod parallel;
pub mod reduction;
pub mod sections;
pub mod sync;
pub mod target;
pub mod task_reduction;
pub mod taskloop;
pub mod tasks;
pub mod threadprivate;

/// The place that called the exported function in which this is expanded. Where the program's mistakes
/// are looked for, what the compiler says of the place is kept as well.
///
/// # Safety
/// `loc` is null or points to a location, a constant of the program.
#[inline(always)]
unsafe fn site(loc: *const ident_t) -> CallSite {
    let site = CallSite::here();
    // SAFETY: by contract, a string of the program.
    unsafe { consistency::note(|| loc.as_ref().map(|loc| loc.psource), site) };
    site
}
