//! A number of seconds on the command line.

use std::time::Duration;

/// A number of seconds, also a broken one, of which a clock can wait.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number of seconds".to_owned())?;
    if !(0.1..=1e6).contains(&seconds) {
        return Err("not between 0.1 and 1000000 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}
