//! Numbers as this crate's texts have them.

use oxomp_analysis::report::units::time;

/// Nanoseconds as text, with their sign.
#[must_use]
pub fn ns(value: f64) -> String {
    let sign = if value.round() < 0.0 { "-" } else { "" };
    format!("{sign}{}", time(value.abs().round() as u64))
}

/// How many times as fast or as much: with two decimals below 100; `∞` has a word of its own.
#[must_use]
pub fn factor(value: f64) -> String {
    match value {
        _ if !value.is_finite() => "no limit".to_owned(),
        _ if value < 99.995 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// `part / whole`; 0 if `whole` is 0.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
