//! Tests of what cannot be had on this machine.

use std::env;

/// Says that the test checks nothing, since something cannot be had here.
///
/// # Panics
///
/// Where nothing may be skipped: with the variable `CI`.
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}
