//! The directive of a loop in its source, where that is at hand: which text the advice replaces.

use std::fs;

use oxomp_analysis::symbols::Place;

/// Lines before a construct's line in which its directive may begin.
const ABOVE: usize = 8;

/// What is known of a loop's directive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Directive {
    /// The text of its schedule clause.
    pub schedule: Option<String>,
    /// Whether the schedule comes from `OMP_SCHEDULE`.
    pub is_runtime: bool,
    /// Whether a `num_threads` clause gives the team's size.
    pub has_num_threads: bool,
}

impl Directive {
    /// The directive at `place`; `None` if its source cannot be read, or has none there.
    #[must_use]
    pub fn at(place: &Place) -> Option<Self> {
        let (file, line) = place.line.as_ref()?;
        Self::in_source(&fs::read_to_string(file).ok()?, *line)
    }

    /// The last directive that begins at `line`, from 1, or a little above.
    fn in_source(source: &str, line: u32) -> Option<Self> {
        let lines: Vec<&str> = source.lines().collect();
        let last = usize::try_from(line).ok()?.min(lines.len());
        let begins = |text: &str| {
            let text = text.trim_start().to_ascii_lowercase();
            let after = text.strip_prefix('#').map(str::trim_start);
            after.is_some_and(|text| text.starts_with("pragma") && text.contains("omp"))
                || text.starts_with("!$omp")
        };
        let begin = (last.saturating_sub(ABOVE)..last).rev().find(|&index| begins(lines[index]))?;
        let mut text = String::new();
        for line in &lines[begin..] {
            let line = line.trim();
            text.push_str(&line.trim_end_matches(['\\', '&']).to_ascii_lowercase());
            if !line.ends_with(['\\', '&']) {
                break;
            }
        }
        let clause = |name: &str| {
            let at = text.find(name)?;
            let rest = &text[at..];
            let end = rest.find(')')?;
            Some(rest[..=end].chars().filter(|letter| !letter.is_whitespace()).collect::<String>())
        };
        let schedule = clause("schedule");
        Some(Self {
            is_runtime: schedule.as_ref().is_some_and(|text| text.contains("runtime")),
            schedule,
            has_num_threads: text.contains("num_threads"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Directive;

    #[test]
    fn the_clause_of_the_directive_above_is_found() {
        let source = "int x;\n#pragma omp for schedule(guided)\nfoo\n# pragma omp parallel for \\\n  \
                      schedule( static , 4 ) num_threads(2)\nfor (;;)\n";
        let found = Directive::in_source(source, 6).expect("a directive");
        assert_eq!(found.schedule.as_deref(), Some("schedule(static,4)"));
        assert!(found.has_num_threads && !found.is_runtime);
        assert_eq!(Directive::in_source(source, 1), None);
    }

    #[test]
    fn a_directive_of_fortran_is_found() {
        let source = "!$OMP PARALLEL DO &\n!$OMP SCHEDULE(RUNTIME)\ndo i = 1, n\n";
        assert!(Directive::in_source(source, 1).expect("a directive").is_runtime);
    }
}
