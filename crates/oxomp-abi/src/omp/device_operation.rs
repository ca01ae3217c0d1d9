//! The common part of the routines that copy and fill device memory (OpenMP 5.2 §18.8): their
//! results, and the operation at once or in a target task.

use core::ffi::c_int;

use oxomp_core::target::{self, Operation};
use oxomp_core::task::{self, DependenceList};
use oxomp_core::{CallSite, Thread, process};

/// Result of a routine that has failed: `EINVAL`.
pub(super) const FAILED: c_int = 22;
/// Result of a routine that has done what it was asked for.
pub(super) const DONE: c_int = 0;

/// The operation that a routine is asked for, and the operation's list; or else the result of the
/// routine, which has nothing to do.
pub(super) type Asked<O> = Result<(O, Box<[<O as Operation>::Item]>), c_int>;

/// Executes the operation. Returns the result of the routine.
///
/// # Safety
/// That of `Operation::perform`.
pub(super) unsafe fn now<O: Operation>(asked: Asked<O>, site: CallSite) -> c_int {
    process::start_for_tool();
    match asked {
        Ok((operation, list)) => {
            // SAFETY: the caller's own promise (`# Safety`).
            unsafe { target::now(Thread::current(), (operation, &list), site) };
            DONE
        }
        Err(result) => result,
    }
}

/// Generates a target task that executes the operation. Returns the result of the routine.
///
/// # Safety
/// That of `Operation::perform`, until the task is complete.
pub(super) unsafe fn later<O: Operation>(
    asked: Asked<O>,
    dependences: DependenceList,
    site: CallSite,
) -> c_int {
    process::start_for_tool();
    match asked {
        Ok((operation, list)) => {
            // SAFETY: the caller's own promise (`# Safety`).
            unsafe { target::later(Thread::current(), (operation, &list), dependences, site) };
            DONE
        }
        Err(result) => result,
    }
}

/// Waits for the dependences, where the routine itself waits for its operation.
pub(super) fn wait_for(dependences: DependenceList, site: CallSite) {
    if !dependences.is_empty() {
        task::taskwait_depend(Thread::current(), dependences, false, site);
    }
}
