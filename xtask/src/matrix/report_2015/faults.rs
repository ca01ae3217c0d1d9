//! The faults of the table of rules.

use std::collections::BTreeSet;
use std::path::Path;

use oxomp_sys::report_2015::EventRow;

use super::answers::ENTRY_POINTS;
use super::page::SECTIONS;
use super::rule::{Rule, TABLE};
use super::test_name;

/// What is wrong with the `rules`, each with its line: a test that the repository at `root` does
/// not have, a rule with neither test nor reason, an unknown section, event or entry point; and
/// each event and entry point that no rule is about.
pub(crate) fn faults(rules: &[Rule], root: &Path) -> Vec<String> {
    let known: BTreeSet<&str> =
        EventRow::ALL.iter().map(|row| row.name).chain(ENTRY_POINTS).collect();
    let mut found = Vec::new();
    for rule in rules {
        let mut fault = |text: String| found.push(format!("{TABLE}:{}: {text}", rule.line));
        if !SECTIONS.iter().any(|(number, _)| *number == rule.section) {
            fault(format!("the report has no section {}", rule.section));
        }
        for name in rule.about.iter().filter(|name| !known.contains(name.as_str())) {
            fault(format!("`{name}` is neither an event nor an entry point"));
        }
        for test in &rule.tests {
            if let Some(text) = test_name::fault(root, test) {
                fault(text);
            }
        }
        if rule.tests.is_empty() && rule.reason.is_none() {
            fault("no test checks the rule, and no reason says why".to_owned());
        }
    }
    let about: BTreeSet<&str> =
        rules.iter().flat_map(|rule| &rule.about).map(String::as_str).collect();
    let missing = known.difference(&about);
    found.extend(missing.map(|name| format!("{TABLE}: no rule is about `{name}`")));
    found
}

#[cfg(test)]
mod tests {
    use super::super::rule::{self, Rule};
    use super::{ENTRY_POINTS, EventRow, faults};
    use std::fs;
    use std::path::Path;

    /// Rules of section 3.1, one for each pair of names, tests and reason.
    fn rules(rows: &[(&str, &str, &str)]) -> Vec<Rule> {
        let rows = rows.iter().map(|(about, tests, reason)| {
            format!("3.1\tmust\t{about}\tit is so\t{tests}\t{reason}\n")
        });
        let text = "section\tkind\tabout\trule\ttests\treason\n".to_owned();
        rule::parse(&(text + &rows.collect::<String>())).expect("rows")
    }

    fn all_names() -> String {
        let events = EventRow::ALL.iter().map(|row| row.name);
        events.chain(ENTRY_POINTS).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_repositorys_table_has_no_fault() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let rules = rule::read(root).expect("the table");
        assert_eq!(faults(&rules, root), [""; 0]);
    }

    #[test]
    fn a_rule_needs_a_test_that_exists_or_a_reason() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("crates/a/tests");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("b.rs"), "#[test]\nfn holds() {}\n").expect("a file");
        let faults = |rows: &[(&str, &str, &str)]| {
            let all = all_names();
            faults(&rules(&[&[(all.as_str(), "-", "none")], rows].concat()), root.path())
        };
        assert_eq!(faults(&[("-", "a/tests/b.rs::holds", "-"), ("-", "-", "absent")]), [""; 0]);
        assert_eq!(
            faults(&[("-", "-", "-"), ("-", "a/tests/b.rs::hold", "absent")]),
            [
                "tests/report_2015.tsv:3: no test checks the rule, and no reason says why",
                "tests/report_2015.tsv:4: crates/a/tests/b.rs has no function hold",
            ]
        );
    }

    #[test]
    fn each_event_and_entry_point_needs_a_rule() {
        let root = Path::new("/none");
        let all = all_names();
        assert_eq!(faults(&rules(&[(&all, "-", "absent")]), root), [""; 0]);
        let names = all.replace("ompt_get_state ", "").replace("idle_begin ", "none ");
        assert_eq!(
            faults(&rules(&[(&names, "-", "absent")]), root),
            [
                "tests/report_2015.tsv:2: `none` is neither an event nor an entry point",
                "tests/report_2015.tsv: no rule is about `idle_begin`",
                "tests/report_2015.tsv: no rule is about `ompt_get_state`",
            ]
        );
    }

    #[test]
    fn an_unknown_section_is_a_fault() {
        let mut rules = rules(&[(&all_names(), "-", "absent")]);
        rules[0].section = "3.3".to_owned();
        assert_eq!(
            faults(&rules, Path::new("/none")),
            ["tests/report_2015.tsv:2: the report has no section 3.3"]
        );
    }
}
