//! The functions at which a debugger stops the program (OpenMP 5.2 §20.6).
//!
//! They are exported, so their bodies stand with the other exported functions; here is when they
//! are called.

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

/// An empty function.
pub type Function = extern "C" fn();

/// What the functions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// A native thread has become a thread of OpenMP; its first task has not begun.
    ThreadBegin,
    /// It is about to be none any more.
    ThreadEnd,
    /// The calling thread has a team for the region that it encounters; no implicit task has begun.
    ParallelBegin,
    /// All implicit tasks of the region are over; the calling thread is in the encountering task.
    ParallelEnd,
    /// A task is about to begin on the calling thread, whose current task it is.
    TaskBegin,
    /// It is over, and still the thread's current task.
    TaskEnd,
}

/// The functions, in the order of `Breakpoint`.
pub type Functions = [Function; 6];

static FUNCTIONS: AtomicPtr<Functions> = AtomicPtr::new(ptr::null_mut());

/// Says which functions these are.
pub fn install(functions: &'static Functions) {
    // Release: pairs with the Acquire in `reach`.
    FUNCTIONS.store(ptr::from_ref(functions).cast_mut(), Release);
}

/// Calls the function.
#[cold]
pub(crate) fn reach(breakpoint: Breakpoint) {
    // SAFETY: null, or what `install` stored, which lives for ever and does not change.
    if let Some(functions) = unsafe { FUNCTIONS.load(Acquire).as_ref() } {
        functions[breakpoint as usize]();
    }
}
