//! Tests that this machine cannot run.

use std::env;

use crate::presence::Prerequisite;

/// Reports that the test checks nothing on this machine, for `reason`.
///
/// # Panics
///
/// If no test may be skipped, which the variable `CI` says.
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}

/// Whether all of `needed` is there; if not, [`skip`]s the test.
#[must_use]
pub fn has_all(needed: &[Prerequisite]) -> bool {
    let missing: Vec<&Prerequisite> = needed.iter().filter(|it| !it.is_present()).collect();
    let Some(first) = missing.first() else { return true };
    let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    skip(&format!("missing: {}; `{}` as root installs it", names.join(", "), first.installer()));
    false
}
