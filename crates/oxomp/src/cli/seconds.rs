//! A time on the command line.

use std::time::Duration;

use crate::duration::duration;

/// The least time that commands wait.
const LEAST: Duration = Duration::from_millis(100);

/// A number of seconds, also a broken one, or a time with its unit, of at least 0.1 seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time < LEAST {
        return Err("less than 0.1 seconds".to_owned());
    }
    Ok(time)
}
