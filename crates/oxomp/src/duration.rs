//! A time as users write it.

use std::time::Duration;

/// A time in seconds, or with its unit: `10`, `2.5s`, `500ms`, `5m`, `1h`; one of which a clock can
/// wait.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("{other} is no unit of time: ms, s, m or h")),
    };
    let number: f64 = digits.trim().parse().map_err(|_| "no number of seconds".to_owned())?;
    let seconds = number * unit;
    if !(0.001..=1e6).contains(&seconds) {
        return Err("not between 0.001 and 1000000 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::duration;

    #[test]
    fn a_time_may_have_a_unit() {
        let times =
            [("10", 10_000), ("2.5s", 2500), ("500ms", 500), ("5m", 300_000), ("1h", 3_600_000)];
        for (text, milliseconds) in times {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "fast", "5 parsecs", "-1", "0", "nan", "inf", "1e9", "0.0001", "1us"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
