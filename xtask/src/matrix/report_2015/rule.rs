//! The rows of `tests/report_2015.tsv`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The path of the table.
pub(super) const TABLE: &str = "tests/report_2015.tsv";

/// The names of the columns, which the first line repeats.
const COLUMNS: [&str; 6] = ["section", "kind", "about", "rule", "tests", "reason"];

/// How a rule binds a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Every runtime that offers the feature has to obey.
    Must,
    /// The report leaves a choice; the rule says what oxomp does.
    Choice,
}

impl Kind {
    /// The word of the column `kind`.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Choice => "choice",
        }
    }
}

/// A rule of the report, in words of this project.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The number of its line in the table.
    pub(super) line: usize,
    /// The section of the report, as `3.2.1` or `B`.
    pub(super) section: String,
    pub(super) kind: Kind,
    /// The events, without `ompt_event_`, and the entry points that the rule is about.
    pub(super) about: Vec<String>,
    pub(super) text: String,
    /// The tests that check it.
    pub(super) tests: Vec<String>,
    /// The reason why no test checks the rule, or a part of it.
    pub(super) reason: Option<String>,
}

/// Reads the table of the repository at `root`.
pub(crate) fn read(root: &Path) -> Result<Vec<Rule>> {
    let path = root.join(TABLE);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text)
}

/// Reads the text of the table.
pub(super) fn parse(text: &str) -> Result<Vec<Rule>> {
    let mut lines = (1..).zip(text.lines());
    let head = lines.next().map_or("", |(_, line)| line);
    if !head.split('\t').eq(COLUMNS) {
        bail!("{TABLE}:1: the columns are not {COLUMNS:?}");
    }
    lines
        .map(|(number, line)| parse_line(number, line).with_context(|| format!("{TABLE}:{number}")))
        .collect()
}

fn parse_line(line: usize, text: &str) -> Result<Rule> {
    let fields: Vec<&str> = text.split('\t').collect();
    let [section, kind, about, rule, tests, reason] = fields[..] else {
        bail!("{} columns instead of {}", fields.len(), COLUMNS.len());
    };
    let kind = match kind {
        "must" => Kind::Must,
        "choice" => Kind::Choice,
        other => bail!("`{other}` is neither must nor choice"),
    };
    let words = |field: &str| {
        field.split(' ').filter(|word| *word != "-").map(str::to_owned).collect::<Vec<_>>()
    };
    Ok(Rule {
        line,
        section: section.to_owned(),
        kind,
        about: words(about),
        text: rule.to_owned(),
        tests: words(tests),
        reason: (reason != "-").then(|| reason.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, parse};

    const HEAD: &str = "section\tkind\tabout\trule\ttests\treason\n";

    #[test]
    fn a_row_is_read() {
        let rows = "3.1\tmust\tcontrol task_end\tit ends\ta/tests/b.rs::c tests/c/d.c\t-\n\
                    B\tchoice\t-\tnothing\t-\tabsent\n";
        let rules = parse(&format!("{HEAD}{rows}")).expect("two rows");
        let [first, second] = &rules[..] else { panic!("{rules:?}") };
        assert_eq!((first.line, first.section.as_str(), first.kind), (2, "3.1", Kind::Must));
        assert_eq!(first.about, ["control", "task_end"]);
        assert_eq!((first.text.as_str(), &first.reason), ("it ends", &None));
        assert_eq!(first.tests, ["a/tests/b.rs::c", "tests/c/d.c"]);
        assert_eq!((second.kind, second.about.len(), second.tests.len()), (Kind::Choice, 0, 0));
        assert_eq!(second.reason.as_deref(), Some("absent"));
    }

    #[test]
    fn a_malformed_table_is_refused_by_its_line() {
        for (text, part) in [
            ("section\tkind\n", ":1: the columns"),
            (&*format!("{HEAD}1\tmust\t-\trule\t-\n"), ":2"),
            (&*format!("{HEAD}1\tshould\t-\trule\t-\t-\n"), ":2"),
        ] {
            let error = parse(text).expect_err("malformed");
            assert!(format!("{error:#}").contains(part), "{error:#}");
        }
    }
}
