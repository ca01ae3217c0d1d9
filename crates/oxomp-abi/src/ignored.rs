//! Calls of the user's routines with arguments that they cannot take.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_base::diag;
use oxomp_core::Chain;

/// Tells the user, once per routine, that it was called with an argument that it cannot take and
/// did nothing.
#[cold]
pub(crate) fn ignored(routine: &'static str, argument: &str, value: i32, expected: &str) {
    /// The routines, and whether the user has been told.
    static SAID: Chain<(&str, AtomicBool)> = Chain::new();
    let (_, is_said) =
        SAID.find_or_add(|(known, _)| *known == routine, || (routine, AtomicBool::new(false)));
    if !is_said.swap(true, Relaxed) {
        diag::warning_in_call(&format!(
            "{routine}: {argument} {value} is not {expected}; call ignored"
        ));
    }
}
