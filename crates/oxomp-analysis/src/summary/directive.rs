//! Directives of OpenMP as they stand in a source.

/// Lines before a construct's line in which its directive may begin.
const ABOVE: usize = 8;
/// Lines of a directive that is continued, at most.
const CONTINUED: usize = 16;
/// Characters of a directive that are shown.
const SHOWN: usize = 60;

/// A directive, with single spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Its first line, from 1.
    pub line: u32,
    /// Its words, from the one behind `omp` on: `parallel for schedule(static)`.
    pub text: String,
}

/// The directives that begin at `line`, from 1, or a little above; the last one first.
#[must_use]
pub fn in_source(source: &str, line: u32) -> Vec<Directive> {
    let lines: Vec<&str> = source.lines().collect();
    let last = usize::try_from(line).unwrap_or(usize::MAX).min(lines.len());
    let above = (last.saturating_sub(ABOVE)..last).rev();
    above.filter_map(|index| Directive::beginning_at(&lines, index)).collect()
}

impl Directive {
    fn beginning_at(lines: &[&str], index: usize) -> Option<Self> {
        words_of(lines[index].trim()).filter(|_| !is_continuation(lines, index))?;
        let mut text = String::new();
        for line in lines[index..].iter().take(CONTINUED) {
            let line = line.trim();
            let part = words_of(line).unwrap_or(line);
            let whole = part.trim_end_matches(['\\', '&']);
            text.push_str(without_comment(whole));
            text.push(' ');
            if whole.len() == part.len() {
                break;
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Self { line: u32::try_from(index).ok()? + 1, text })
    }

    /// Whether the directive, or one of its clauses, has this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|word| word.eq_ignore_ascii_case(name))
    }

    /// The names of the directive and its clauses, without the clauses' arguments.
    fn names(&self) -> impl Iterator<Item = &str> {
        let mut depth = 0_u32;
        let outside = self.text.split(move |character: char| {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth > 0 || !(character.is_alphanumeric() || character == '_'),
            }
            true
        });
        outside.filter(|word| !word.is_empty())
    }

    /// The text of a clause with its argument, in lower case and without spaces:
    /// `schedule(static,4)`.
    #[must_use]
    pub fn clause(&self, name: &str) -> Option<String> {
        let text = self.text.to_ascii_lowercase();
        let begins = text.match_indices(name).find(|(at, _)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + name.len()..].trim_start();
            !before.is_some_and(|it| it.is_alphanumeric() || it == '_') && after.starts_with('(')
        });
        let rest = &text[begins?.0..];
        let mut depth = 0_u32;
        let end = rest.find(|character: char| {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            character == ')' && depth == 0
        })?;
        Some(rest[..=end].chars().filter(|letter| !letter.is_whitespace()).collect())
    }

    /// Whether its schedule comes from `OMP_SCHEDULE`.
    #[must_use]
    pub fn is_runtime(&self) -> bool {
        self.clause("schedule").is_some_and(|clause| clause.contains("runtime"))
    }

    /// Whether it is a loop whose iterations wait for each other: `ordered(1)`.
    #[must_use]
    pub fn is_doacross(&self) -> bool {
        self.clause("ordered").is_some()
    }

    /// Whether an iteration of such a loop waits here for others: `ordered depend(sink: i-1)`, or
    /// `ordered doacross(sink: i-1)`.
    #[must_use]
    pub fn is_sink(&self) -> bool {
        let clauses = ["depend", "doacross"].into_iter().filter_map(|name| self.clause(name));
        clauses.into_iter().any(|clause| clause.contains("(sink:"))
    }

    /// Whether it divides a loop among threads.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        ["for", "do", "loop"].iter().any(|name| self.has(name))
    }

    /// The directive for people: `omp parallel for`, cut where it is long.
    #[must_use]
    pub fn shown(&self) -> String {
        let whole = format!("omp {}", self.text);
        if whole.chars().count() <= SHOWN {
            return whole;
        }
        let cut: String = whole.chars().take(SHOWN - 1).collect();
        format!("{}…", cut.trim_end())
    }
}

/// What stands behind `#pragma omp` or `!$omp`, and behind an `&` after that where a directive of
/// Fortran is continued.
fn words_of(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let words = words_of_lower(&lower)?;
    line.get(line.len() - words.len()..)
}

fn words_of_lower(line: &str) -> Option<&str> {
    let after = line.strip_prefix('#').map(str::trim_start);
    let of_c = after.and_then(|text| text.strip_prefix("pragma")).map(str::trim_start);
    let words = of_c.and_then(|text| text.strip_prefix("omp")).or_else(|| {
        ["!$omp", "c$omp", "*$omp"].iter().find_map(|start| line.strip_prefix(start))
    })?;
    let words = words.trim_start();
    Some(words.strip_prefix('&').unwrap_or(words)).filter(|words| !words.starts_with("end "))
}

/// Whether the line before is a directive that goes on in this one.
fn is_continuation(lines: &[&str], index: usize) -> bool {
    let before = index.checked_sub(1).map(|before| lines[before].trim());
    before.is_some_and(|line| words_of(line).is_some() && line.ends_with('&'))
}

fn without_comment(text: &str) -> &str {
    let end = ["//", "/*", " !"].iter().filter_map(|mark| text.find(mark)).min();
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::{Directive, in_source};

    fn first(source: &str, line: u32) -> Option<Directive> {
        in_source(source, line).into_iter().next()
    }

    #[test]
    fn the_directive_above_is_found_with_its_clauses() {
        let source = "int x;\n#pragma omp for schedule(guided)\nfoo\n# pragma omp parallel for \\\n  \
                      schedule( static , 4 ) num_threads(2) // here\nfor (;;)\n";
        let found = first(source, 6).expect("a directive");
        assert_eq!(found.line, 4);
        assert_eq!(found.text, "parallel for schedule( static , 4 ) num_threads(2)");
        assert_eq!(found.clause("schedule").as_deref(), Some("schedule(static,4)"));
        assert!(found.has("num_threads") && found.is_loop() && !found.is_runtime());
        assert!(!found.has("static"), "an argument is no clause");
        assert_eq!(first(source, 1), None);
        let all: Vec<u32> = in_source(source, 6).iter().map(|one| one.line).collect();
        assert_eq!(all, [4, 2]);
    }

    #[test]
    fn directives_of_fortran_are_continued() {
        let source = "!$OMP PARALLEL DO &\n!$OMP& SCHEDULE(RUNTIME)\ndo i = 1, n\n!$omp end \
                      parallel do\n";
        let found = first(source, 1).expect("a directive");
        assert_eq!((found.line, found.text.as_str()), (1, "PARALLEL DO SCHEDULE(RUNTIME)"));
        assert!(found.is_runtime() && found.is_loop());
        // Neither a directive's end nor its second line is one.
        assert_eq!(first(source, 4), Some(found));
    }

    #[test]
    fn a_loop_whose_iterations_wait_for_each_other_has_an_argument() {
        let of = |text: &str| first(text, 1).expect("a directive");
        assert!(of("#pragma omp for ordered(1) schedule(static, 1)").is_doacross());
        assert!(!of("#pragma omp for ordered").is_doacross());
        assert!(of("#pragma omp ordered depend(sink : row - 1)").is_sink());
        assert!(of("#pragma omp ordered doacross(sink: omp_cur_iteration - 1)").is_sink());
        assert!(!of("#pragma omp ordered depend(source)").is_sink());
        assert!(!of("#pragma omp task depend(in: sink)").is_sink());
    }

    #[test]
    fn a_long_directive_is_cut() {
        let text = format!("#pragma omp parallel for firstprivate({})", "a, ".repeat(40));
        let shown = first(&text, 1).expect("a directive").shown();
        assert_eq!(shown.chars().count(), 60);
        assert!(shown.starts_with("omp parallel for firstprivate(a, a") && shown.ends_with('…'));
    }
}
