//! Dates and times of day, in UTC.

/// The day and the time of day, in UTC; `None` if they are unknown.
pub(crate) fn started(unix_ns: u64) -> Option<String> {
    if unix_ns == 0 {
        return None;
    }
    let seconds = unix_ns / 1_000_000_000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    Some(format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC"))
}

/// Year, month and day of the Gregorian calendar, `days` after 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March have the leap day at their end; eras of 400 years are all alike.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::started;

    #[test]
    fn times_since_1970_become_dates() {
        let at = |seconds: u64| started(seconds * 1_000_000_000);
        assert_eq!(at(0), None);
        assert_eq!(at(951_827_696).as_deref(), Some("2000-02-29 12:34 UTC"));
        assert_eq!(at(1_795_305_599).as_deref(), Some("2026-11-21 23:59 UTC"));
        assert_eq!(at(4_107_542_400).as_deref(), Some("2100-03-01 00:00 UTC"));
    }
}
