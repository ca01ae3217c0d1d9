//! The rules for the log of any program, those for the answers of the entry points among them.

use oxomp_testing::trace::log::Log;
use oxomp_testing::trace::report_2015::{CONTEXT, RULES, judge};

/// Checks all of them.
///
/// # Errors
///
/// The rule that is broken, with the event.
pub(crate) fn check(log: &Log) -> Result<(), String> {
    judge(log, &RULES)?;
    judge(log, &[CONTEXT])
}
