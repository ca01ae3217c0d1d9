//! Numbers as text: always with their unit, and with no more digits than are significant.

/// A duration with three or four digits: `412 ns`, `3.47 ms`, `42.31 s`, `1 204 s`.
#[must_use]
pub fn time(ns: u64) -> String {
    let [us, ms, s] = [1e3, 1e6, 1e9].map(|unit| ns as f64 / unit);
    if ns == 0 {
        "0 s".to_owned()
    } else if ns < 1_000 {
        format!("{ns} ns")
    } else if us < 999.5 {
        format!("{} µs", digits(us))
    } else if ms < 999.5 {
        format!("{} ms", digits(ms))
    } else if s < 999.5 {
        format!("{} s", digits(s))
    } else {
        format!("{} s", count(s.round() as u64))
    }
}

fn digits(value: f64) -> String {
    if value < 99.995 { format!("{value:.2}") } else { format!("{value:.1}") }
}

/// A number of bytes with three digits: `48 B`, `8.39 MB`; 1 MB is 10⁶ bytes.
#[must_use]
pub fn bytes(number: u64) -> String {
    let [kb, mb, gb] = [1e3, 1e6, 1e9].map(|unit| number as f64 / unit);
    if number < 1_000 {
        format!("{number} B")
    } else if kb < 999.5 {
        format!("{} kB", three_digits(kb))
    } else if mb < 999.5 {
        format!("{} MB", three_digits(mb))
    } else if gb < 999.5 {
        format!("{} GB", three_digits(gb))
    } else {
        format!("{} GB", count(gb.round() as u64))
    }
}

/// A bandwidth in bytes per nanosecond, which is GB/s.
#[must_use]
pub fn bandwidth(bytes_per_ns: f64) -> String {
    if bytes_per_ns < 0.000_999_5 {
        format!("{} kB/s", three_digits(bytes_per_ns * 1e6))
    } else if bytes_per_ns < 0.999_5 {
        format!("{} MB/s", three_digits(bytes_per_ns * 1e3))
    } else {
        format!("{} GB/s", three_digits(bytes_per_ns))
    }
}

fn three_digits(value: f64) -> String {
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A number in groups of three: `42 504`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// A share of one as `14.2 %`; a share that is not 0 but would read 0.0 is `< 0.1 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.000_5 {
        return "< 0.1 %".to_owned();
    }
    format!("{:.1} %", share * 100.0)
}

/// `part / whole` as a share of one; 0 for an empty whole.
#[must_use]
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A noun behind its number: `1 thread`, `4 threads`.
#[must_use]
pub fn plural(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{bandwidth, bytes, count, percent, plural, time};

    #[test]
    fn times_have_a_fitting_unit() {
        let expected = [
            (0, "0 s"),
            (999, "999 ns"),
            (1_000, "1.00 µs"),
            (99_999, "100.0 µs"),
            (912_400, "912.4 µs"),
            (999_600, "1.00 ms"),
            (3_470_000, "3.47 ms"),
            (42_310_000_000, "42.31 s"),
            (611_230_000_000, "611.2 s"),
            (999_700_000_000, "1 000 s"),
            (12_345_000_000_000, "12 345 s"),
        ];
        for (ns, text) in expected {
            assert_eq!(time(ns), text, "{ns} ns");
        }
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(42_504), "42 504");
        assert_eq!(count(1_000_000), "1 000 000");
        assert_eq!(plural(1, "call"), "1 call");
        assert_eq!(plural(1_932, "call"), "1 932 calls");
    }

    #[test]
    fn bytes_have_a_fitting_unit() {
        let expected = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.00 kB"),
            (8_388_608, "8.39 MB"),
            (99_960, "100 kB"),
            (999_600, "1.00 MB"),
            (42_500_000_000, "42.5 GB"),
            (1_200_000_000_000, "1 200 GB"),
        ];
        for (number, text) in expected {
            assert_eq!(bytes(number), text, "{number}");
        }
        assert_eq!(bandwidth(12.34), "12.3 GB/s");
        assert_eq!(bandwidth(0.5), "500 MB/s");
        assert_eq!(bandwidth(0.000_5), "500 kB/s");
    }

    #[test]
    fn little_is_not_nothing() {
        assert_eq!(percent(0.0), "0.0 %");
        assert_eq!(percent(0.000_1), "< 0.1 %");
        assert_eq!(percent(0.142), "14.2 %");
        assert_eq!(percent(1.0), "100.0 %");
    }
}
