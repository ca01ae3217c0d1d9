//! The functions at which a debugger stops the program (OpenMP 5.2 §20.6).
//!
//! The functions are exported, so their bodies are with the other exported functions; this file
//! calls them.

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

/// An empty function.
pub type Function = extern "C" fn();

/// The events at which a debugger can stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// A native thread has become a thread of OpenMP; its first task has not begun.
    ThreadBegin,
    /// The native thread is about to leave OpenMP.
    ThreadEnd,
    /// The calling thread has a team for the region that it encounters; no implicit task has begun.
    ParallelBegin,
    /// All implicit tasks of the region are over; the calling thread is in the encountering task.
    ParallelEnd,
    /// A task is about to begin on the calling thread, whose current task it is.
    TaskBegin,
    /// A task is complete, and still the thread's current task.
    TaskEnd,
    /// The calling thread begins a teams region, which is its current region (6.0).
    TeamsBegin,
    /// The teams are over; the calling thread is in the encountering task (6.0).
    TeamsEnd,
    /// The initial task of a target region on the host has begun, and is the thread's current task;
    /// the region's code has not (6.0).
    TargetBegin,
    /// The code of a target region is over; its initial task is still the thread's current task
    /// (6.0).
    TargetEnd,
}

/// The functions, in the order of `Breakpoint`.
pub type Functions = [Function; 10];

static FUNCTIONS: AtomicPtr<Functions> = AtomicPtr::new(ptr::null_mut());

/// Sets the functions.
pub fn install(functions: &'static Functions) {
    // Release: pairs with the Acquire in `reach`.
    FUNCTIONS.store(ptr::from_ref(functions).cast_mut(), Release);
}

/// Calls the function of this event.
#[cold]
pub fn reach(breakpoint: Breakpoint) {
    // SAFETY: the pointer is null or the `'static` reference that `install` stored.
    if let Some(functions) = unsafe { FUNCTIONS.load(Acquire).as_ref() } {
        functions[breakpoint as usize]();
    }
}
