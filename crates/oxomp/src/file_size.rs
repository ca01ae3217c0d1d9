//! Sizes of files in words.

pub(crate) fn file_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    let mut size = bytes as f64 / 1e3;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1e3;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::file_size;

    #[test]
    fn file_sizes_have_a_fitting_unit() {
        assert_eq!(file_size(0), "0.0 kB");
        assert_eq!(file_size(3_140_000), "3.1 MB");
        assert_eq!(file_size(999_960), "1.0 MB");
        assert_eq!(file_size(5_000_000_000_000_000), "5000.0 TB");
    }
}
