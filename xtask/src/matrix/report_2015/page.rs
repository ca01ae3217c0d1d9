//! The part of CONFORMANCE.md about the 2015 report.

use std::fmt::Write;

use oxomp_sys::report_2015::{Class, EventRow};

use super::super::probe::Answers;
use super::answers::ENTRY_POINTS;
use super::rule::Rule;

/// The sections of the report that bind a runtime, and their subjects.
pub(super) const SECTIONS: [(&str, &str); 40] = [
    ("1.1", "the interface"),
    ("1.1.1", "its objectives"),
    ("1.1.2", "the least that a runtime offers"),
    ("2", "states of threads"),
    ("3", "events"),
    ("3.1", "mandatory events"),
    ("3.2", "optional events"),
    ("3.2.1", "events for blame shifting"),
    ("3.2.2", "events for instrumentation"),
    ("4.1", "ids of threads"),
    ("4.2", "ids of parallel regions"),
    ("4.3", "ids of tasks"),
    ("4.4", "wait ids"),
    ("4.5", "frames of tasks"),
    ("5", "inquiry functions"),
    ("5.1", "enumeration of states"),
    ("5.2", "enumeration of lock types"),
    ("5.3", "enumeration of atomic types"),
    ("5.4", "the calling thread"),
    ("5.5", "parallel regions"),
    ("5.6", "tasks"),
    ("5.7", "devices"),
    ("6", "tracing of devices"),
    ("6.1", "OMPT records"),
    ("6.2", "native records"),
    ("6.3", "start and stop of tracing"),
    ("6.4", "reading a buffer"),
    ("6.5", "reading native records"),
    ("7.1", "registration of a tool"),
    ("7.2", "initialization of a tool"),
    ("8", "control by the program"),
    ("A.1", "numbers of states"),
    ("A.2", "numbers of events"),
    ("A.3", "types"),
    ("A.4", "signatures of callbacks"),
    ("A.5", "prototypes of functions"),
    ("A.6", "records"),
    ("A.7", "the entry of a tool"),
    ("B", "frames of a nested region"),
    ("C", "ways to a tool"),
];

const HEAD: &str = "\
## The 2015 report

The tools interface of the technical report of 2015, by its sections. A row is one rule that binds a
runtime, in words of this project. *must*: for every runtime that offers the feature. *choice*: the
report leaves it open, and the rule says what oxomp does. Beside it stand the tests that check the
rule (tests/README.md explains their names), or the reason why no test does.
`cargo xtask matrix` makes sure that each of these tests exists, and that each event and each
function of the interface has a rule.

";

const EVENTS_HEAD: &str = "\
### Events of the 2015 report

The answer is that of `ompt_set_callback` in a tool's initializer, and the test the first one that
checks a rule about the event.

| number | event | class | answer | test |
|---|---|---|---|---|
";

const ENTRY_POINTS_HEAD: &str = "
### Functions of the 2015 report

What the look-up answers. The test is the first one that checks a rule about the function.

| function | answer | test |
|---|---|---|
";

/// The rules, and the runtime's answers.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) rules: Vec<Rule>,
    pub(crate) answers: Answers,
}

/// Writes the rules, the events and the entry points.
pub(crate) fn write(page: &mut String, report: &Report) {
    let Report { rules, answers } = report;
    page.push_str(HEAD);
    summary(page, rules);
    for (number, subject) in SECTIONS {
        let _ = writeln!(page, "### {number} {subject}\n");
        page.push_str("| kind | rule | checked by |\n|---|---|---|\n");
        for rule in rules.iter().filter(|rule| rule.section == number) {
            row(page, rule);
        }
        page.push('\n');
    }
    page.push_str(EVENTS_HEAD);
    for event in EventRow::ALL {
        let answer = answers.events.get(event.name).map_or("none", String::as_str);
        let _ = writeln!(
            page,
            "| {} | `ompt_event_{}` | {} | {} | {} |",
            event.event.0,
            event.name,
            class_label(event.class),
            answer.replace('-', " "),
            first_test(rules, event.name)
        );
    }
    page.push_str(ENTRY_POINTS_HEAD);
    for name in ENTRY_POINTS {
        let answer = answers.entry_points.get(name).map_or("none", String::as_str);
        let _ = writeln!(page, "| `{name}` | {answer} | {} |", first_test(rules, name));
    }
    page.push('\n');
}

/// How many rules have a test.
fn summary(page: &mut String, rules: &[Rule]) {
    let tested = rules.iter().filter(|rule| !rule.tests.is_empty()).count();
    let _ = writeln!(
        page,
        "{} rules; tests check {tested}, and {} have a reason instead.\n",
        rules.len(),
        rules.len() - tested
    );
}

fn row(page: &mut String, rule: &Rule) {
    let about: Vec<String> = rule.about.iter().map(|name| format!("`{name}`")).collect();
    let about = if about.is_empty() { String::new() } else { about.join(", ") + ": " };
    let tests = rule.tests.iter().map(|name| format!("`{name}`"));
    let checked: Vec<String> = tests.chain(rule.reason.clone()).collect();
    let (kind, text) = (rule.kind.label(), &rule.text);
    let _ = writeln!(page, "| {kind} | {about}{text} | {} |", checked.join("; "));
}

fn class_label(class: Class) -> &'static str {
    match class {
        Class::Mandatory => "mandatory",
        Class::BlameShifting => "blame shifting",
        Class::Instrumentation => "instrumentation",
    }
}

/// The first test of a rule about the event or entry point, or the reason why no test checks it. A
/// rule about fewer events and entry points counts before one about more.
fn first_test(rules: &[Rule], name: &str) -> String {
    let is_about = |rule: &&Rule| rule.about.iter().any(|one| one == name);
    let mut about: Vec<&Rule> = rules.iter().filter(is_about).collect();
    about.sort_by_key(|rule| rule.about.len());
    let test = about.iter().find_map(|rule| rule.tests.first());
    let reason = about.iter().find_map(|rule| rule.reason.clone());
    test.map(|test| format!("`{test}`")).or(reason).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::rule;
    use super::{Answers, Report, write};

    #[test]
    fn a_rule_stands_in_its_section_with_its_tests_or_its_reason() {
        let text = "section\tkind\tabout\trule\ttests\treason\n\
                    1.1.2\tmust\tcontrol task_end\tthey are there\ta/b.rs::all\t-\n\
                    3.1\tmust\tcontrol\tit is called\ta/b.rs::c tests/c/d.c\t-\n\
                    6.1\tchoice\t-\tnothing\t-\tabsent\n";
        let rules = rule::parse(text).expect("three rows");
        let mut answers = Answers::default();
        answers.events.insert("control".to_owned(), "4-always".to_owned());
        answers.entry_points.insert("ompt_get_state".to_owned(), "present".to_owned());
        let mut page = String::new();
        write(&mut page, &Report { rules, answers });
        for line in [
            "3 rules; tests check 2, and 1 have a reason instead.",
            "### 3.1 mandatory events",
            "| must | `control`: it is called | `a/b.rs::c`; `tests/c/d.c` |",
            "| choice | nothing | absent |",
            "| 7 | `ompt_event_control` | mandatory | 4 always | `a/b.rs::c` |",
            "| 4 | `ompt_event_task_end` | mandatory | none | `a/b.rs::all` |",
            "| `ompt_get_state` | present |  |",
        ] {
            assert!(page.lines().any(|seen| seen == line), "`{line}` in:\n{page}");
        }
        let at = |text: &str| page.find(text).expect("it is there");
        assert!(at("### 3.1") < at("it is called") && at("it is called") < at("### 3.2 "));
    }
}
