//! Numbers of threads in words.

use oxomp_analysis::report::units::plural;

/// `1 thread`, `4 threads`.
pub(super) fn threads(number: u32) -> String {
    plural(number.into(), "thread")
}
