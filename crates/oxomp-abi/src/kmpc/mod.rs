//! The calls that clang and flang emit.

use oxomp_core::CallSite;
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

/// The place that called the exported function in which this is expanded, with the compiler's
/// description of it.
///
/// # Safety
/// `loc` is null or points to a location, a constant of the program.
#[inline(always)]
unsafe fn site(loc: *const ident_t) -> CallSite {
    // SAFETY: by contract.
    unsafe { CallSite::here().described_by(loc) }
}
