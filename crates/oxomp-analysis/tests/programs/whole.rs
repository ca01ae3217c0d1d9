//! Whether all time of a run has a class.

use oxomp_analysis::summary::{Class, Summary};

/// Whether the classes have all of the threads' time, up to rounding: each class of each thread is
/// in whole nanoseconds, which is much of a thread that lives for some microseconds, and so is each
/// sum that a recording folds.
pub(crate) fn is_whole(summary: &Summary) -> bool {
    let budget = &summary.budget;
    let total = budget.total_ns as f64;
    let rounded = (summary.threads.len() * Class::COUNT) as f64;
    (budget.accounted - 1.0).abs() * total <= 1e-4 * total + rounded
}
