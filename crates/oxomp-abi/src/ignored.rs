//! Calls of the user's routines with arguments that they cannot take.

use std::sync::Mutex;

use oxomp_core::diag;

/// Tells the user, once per routine, that it was called with an argument that it cannot take and did
/// nothing.
#[cold]
pub(crate) fn ignored(routine: &'static str, argument: &str, value: i32, expected: &str) {
    static SAID: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    // Who finds another there says it next time: that may be a thread which did not come along with a
    // fork, and would not go away.
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
