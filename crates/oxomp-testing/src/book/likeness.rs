//! Whether the output of a command is like the one that a page shows, though it is of another run.

use std::sync::LazyLock;

use regex_lite::Regex;

/// A line that stands for any number of lines, also for none.
pub(super) const ELLIPSIS: &str = "...";

/// A number with its sign and its unit, if it has one, or a number of a name.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"(0x[0-9a-f]+|\d+([.,]\d+)*(e[+-]?\d+)?)";
    let unit = r"( ?(ns|µs|us|ms|s|min|h|B|kB|KB|MB|GB|KiB|MiB|GiB|K|M|G|%|×)([^\w]|$))?";
    Regex::new(&format!(r"([+−-]?{number}){unit}")).expect("a pattern")
});

/// A line as it is in every run: amounts, bars and the width of columns made equal.
pub(super) fn comparable(line: &str) -> String {
    let is_bar = |symbol: &char| ('\u{2580}'..='\u{259f}').contains(symbol);
    let line: String = line.chars().filter(|symbol| !is_bar(symbol)).collect();
    // The last group is what ends the unit, which is no part of it.
    let line = NUMBER.replace_all(&line, "N${7}");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first line of `shown` that `said` lacks, or of `said` that `shown` lacks; `None` if they are
/// alike.
pub(super) fn difference(shown: &[String], said: &[&str]) -> Option<String> {
    let shown: Vec<String> = shown.iter().map(|line| comparable(line)).collect();
    let said: Vec<String> = said.iter().map(|line| comparable(line)).collect();
    let mut parts = shown.split(|line| line == ELLIPSIS);
    let first = parts.next().unwrap_or_default();
    let mut rest = said.as_slice();
    for (at, line) in first.iter().enumerate() {
        match rest.split_first() {
            Some((found, after)) if found == line => rest = after,
            Some((found, _)) => {
                return Some(format!("line {} is\n    {found}\nnot\n    {line}", at + 1));
            }
            None => return Some(format!("after its end the page has\n    {line}")),
        }
    }
    let mut parts: Vec<&[String]> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.first().map(|line| format!("the page lacks\n    {line}"));
    };
    for part in parts {
        match position(rest, part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return Some(format!("it has nowhere\n    {}", part.join("\n    "))),
        }
    }
    match rest.ends_with(last) {
        true => None,
        false => Some(format!("it does not end with\n    {}", last.join("\n    "))),
    }
}

/// The first position of `part` in `lines`.
fn position(lines: &[String], part: &[String]) -> Option<usize> {
    (0..(lines.len() + 1).checked_sub(part.len())?).find(|at| lines[*at..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::{comparable, difference};

    #[test]
    fn amounts_bars_and_columns_are_equal() {
        for (one, other) in [
            ("  useful work    54.1 %   917.4 ms  ██████▊", "  useful work  4 %   1.02 s  █"),
            ("barriers themselves   0.1 %    2.17 ms  ▏", "barriers themselves 12 % 9 µs"),
            ("at 0x55d2 in solver-4711/", "at 0x7ffe00 in solver-12/"),
            ("-3.2 % (+1.0 %)", "+0.1 % (-9 %)"),
            ("360 calls, 1,024 bytes", "9 calls, 12 bytes"),
            ("  1  a", " 12  a  "),
            ("checksum 1.844584302e+05", "checksum 3"),
        ] {
            assert_eq!(comparable(one), comparable(other));
        }
    }

    #[test]
    fn words_are_not() {
        for (one, other) in [
            ("useful work 54.1 %", "serial work 54.1 %"),
            ("2 threads on 2 CPUs", "2 threads on CPUs"),
            ("3 modules", "3 sections"),
            ("12 %, 3 ms", "12 % 3 ms"),
            ("12 ms)", "12 ms"),
            ("a 1", "a"),
        ] {
            assert_ne!(comparable(one), comparable(other));
        }
    }

    fn differ(shown: &str, said: &str) -> bool {
        let shown: Vec<String> = shown.split(' ').map(str::to_owned).collect();
        let said: Vec<&str> = said.split_whitespace().collect();
        difference(&shown, &said).is_some()
    }

    #[test]
    fn each_line_counts() {
        assert!(!differ("a b c", "a b c"));
        for said in ["", "a", "a b", "a b c d", "b c", "a x c", "a c b"] {
            assert!(differ("a b c", said), "{said}");
        }
    }

    #[test]
    fn an_ellipsis_stands_for_any_lines_and_for_nothing_else() {
        for shown in ["a ...", "... c", "a ... c", "a ... b ... c", "a b ... c", "... b ..."] {
            assert!(!differ(shown, "a b c"), "{shown}");
        }
        for shown in ["b ...", "... b", "a ... d", "a ... c ... b ...", "... a b c d", "a ... a"] {
            assert!(differ(shown, "a b c"), "{shown}");
        }
        // A line is not found twice.
        assert!(differ("a ... a", "a"));
        assert!(differ("... b ... b", "a b c"));
    }
}
