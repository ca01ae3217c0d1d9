//! Tests of what cannot be had on this machine.

use std::env;

use crate::presence::Prerequisite;

/// Says that the test checks nothing, since something cannot be had here.
///
/// # Panics
///
/// Where nothing may be skipped: with the variable `CI`.
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}

/// Whether all of `needed` is there; [`skip`]s the test where something is not.
#[must_use]
pub fn has_all(needed: &[Prerequisite]) -> bool {
    let missing = needed.iter().filter(|it| !it.is_present());
    let missing: Vec<String> = missing.map(ToString::to_string).collect();
    if !missing.is_empty() {
        skip(&format!("missing: {}; `cargo xtask test` as root installs it", missing.join(", ")));
    }
    missing.is_empty()
}
