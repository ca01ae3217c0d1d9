//! Calls of the user's routines with arguments that they cannot take.

use std::sync::Mutex;

use oxomp_core::diag;

/// Tells the user, once per routine, that it was called with an argument that it cannot take and
/// did nothing.
#[cold]
pub(crate) fn ignored(routine: &'static str, argument: &str, value: i32, expected: &str) {
    static SAID: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    // A thread that finds another one here leaves the report to the next call: the other may be a
    // thread of the process before a fork, which never leaves.
    let Ok(mut said) = SAID.try_lock() else { return };
    if said.contains(&routine) {
        return;
    }
    said.push(routine);
    drop(said);
    diag::warning_in_call(&format!(
        "{routine}: {argument} {value} is not {expected}; call ignored"
    ));
}
