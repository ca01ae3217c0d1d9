//! Which changes count: sets of runs made by hand.

use crate::made::{region, run, set};
use oxomp_analysis::summary::Class;
use oxomp_compare::{Comparison, Gate, Group, RunSet, Subject, Verdict, to_json, to_text};
use oxomp_text::Style;

const MS: f64 = 1e6;

/// Runs of 100 ms, of which `relax` has `times`, ms.
fn runs(line: u32, times: &[f64]) -> RunSet {
    let one = |time: &f64| {
        let times = [(region("relax", line), time * MS), (region("norm", line + 9), 30.0 * MS)];
        run((40.0 + time) * MS, &times)
    };
    set("a folder", times.iter().map(one).collect())
}

const STEADY: [f64; 5] = [60.0, 61.0, 59.0, 60.5, 59.5];

#[test]
fn the_construct_that_changed_is_named_first() {
    let after = runs(21, &STEADY.map(|time| time / 2.0));
    let comparison = Comparison::of(runs(18, &STEADY), after, 0.05);
    assert_eq!(comparison.wall.change.verdict, Verdict::Less);
    let first = &comparison.constructs[0];
    assert_eq!(first.subject.construct().unwrap().function(), "relax");
    assert_eq!(first.change.by, -30.0 * MS);
    let text = to_text(&comparison, &[Gate::Wall], Style::plain());
    let verdict =
        "Faster: 100.0 ms -> 70.00 ms (-30.0 %); most of all useful work of the region in";
    assert!(text.contains(verdict), "{text}");
    assert!(text.contains("relax solver.c:18 before"), "{text}");
    assert!(!text.contains("Regression"), "{text}");
}

#[test]
fn noise_hides_what_is_not_beyond_it() {
    let noisy = [60.0, 90.0, 70.0, 65.0, 80.0];
    let comparison = Comparison::of(runs(18, &STEADY), runs(18, &noisy), 0.05);
    assert_eq!(comparison.wall.change.verdict, Verdict::Same);
    assert!(comparison.regressions(&[Gate::Wall, Gate::Group(Group::Region)]).is_empty());
    // Without the other runs, nothing tells that it may be noise.
    let comparison = Comparison::of(runs(18, &STEADY[..1]), runs(18, &noisy[2..3]), 0.05);
    assert_eq!(comparison.wall.change.verdict, Verdict::More);
    assert_eq!(comparison.regressions(&[Gate::Wall]).len(), 1);
    let text = to_text(&comparison, &[Gate::Wall], Style::plain());
    assert!(text.contains("The noise is unknown") && text.contains("5.0 %"), "{text}");
}

#[test]
fn a_part_that_became_shorter_is_no_reason_for_a_longer_run() {
    let mut after = runs(18, &STEADY.map(|time| time - 40.0));
    after.runs.iter_mut().for_each(|run| run.wall_ns += 100.0 * MS);
    let text = to_text(&Comparison::of(runs(18, &STEADY), after, 0.05), &[], Style::plain());
    let verdict = text.lines().find(|line| line.starts_with("Slower")).expect("a verdict");
    assert!(!verdict.contains("most of all"), "{text}");
}

#[test]
fn the_threshold_is_a_share_of_what_changes() {
    let slower = |by: f64| runs(18, &STEADY.map(|time| time + by));
    let verdict = |by, threshold| {
        let comparison = Comparison::of(runs(18, &STEADY), slower(by), threshold);
        (comparison.wall.change.verdict, comparison.constructs[0].change.verdict)
    };
    assert_eq!(verdict(4.0, 0.05), (Verdict::Same, Verdict::More));
    assert_eq!(verdict(6.0, 0.05), (Verdict::More, Verdict::More));
    assert_eq!(verdict(6.0, 0.2), (Verdict::Same, Verdict::Same));
    assert_eq!(verdict(1.0, 0.0), (Verdict::Same, Verdict::Same), "the ranges overlap");
}

#[test]
fn what_is_little_of_the_wall_time_does_not_count() {
    let with = |time: f64| {
        let one = || run(100.0 * MS, &[(region("tiny", 5), time * MS)]);
        set("a folder", (0..5).map(|_| one()).collect())
    };
    let verdict = |time| Comparison::of(with(0.1), with(time), 0.05).constructs[0].change.verdict;
    assert_eq!(verdict(0.9), Verdict::Same);
    assert_eq!(verdict(1.2), Verdict::More);
}

#[test]
fn a_construct_that_is_new_or_gone_is_neither_better_nor_worse() {
    let without = set("a folder", (0..5).map(|_| run(100.0 * MS, &[])).collect());
    let comparison = Comparison::of(without, runs(18, &STEADY), 0.05);
    assert!(comparison.constructs.iter().all(|row| row.change.before.is_none()));
    assert!(comparison.regressions(&[Gate::Group(Group::Region)]).is_empty());
    let text = to_text(&comparison, &[], Style::plain());
    let row = text.lines().find(|line| line.contains("relax") && line.contains("new"));
    assert!(row.is_some(), "{text}");
}

#[test]
fn gates_are_about_what_they_name() {
    let mut after = runs(18, &STEADY.map(|time| time + 20.0));
    // Elsewhere the program has won as much.
    after.runs.iter_mut().for_each(|run| run.wall_ns -= 20.0 * MS);
    after.runs.iter_mut().for_each(|run| run.efficiency = 0.5);
    let comparison = Comparison::of(runs(18, &STEADY), after, 0.05);
    let regressions = |gate| comparison.regressions(&[gate]).len();
    assert_eq!(regressions(Gate::Wall), 0);
    assert_eq!(regressions(Gate::Efficiency), 1);
    assert_eq!(regressions(Gate::Group(Group::Region)), 1);
    assert_eq!(regressions(Gate::Group(Group::Lock)), 0);
}

#[test]
fn other_circumstances_are_said_at_the_top() {
    let mut after = runs(18, &STEADY);
    for run in &mut after.runs {
        run.facts.threads = 8;
        run.facts.hostname = "node2".to_owned();
        run.facts.processor = "PDP-11".to_owned();
        run.facts.environment = vec![("OMP_PROC_BIND".to_owned(), "close".to_owned())];
    }
    for run in &mut after.runs {
        run.by_class[Class::Useful as usize] = 80.0 * MS;
        run.by_class[Class::Scheduler as usize] = 20.0 * MS;
    }
    after.runs[1].facts.incomplete = vec!["events were lost"];
    let text = to_text(&Comparison::of(runs(18, &STEADY), after, 0.05), &[], Style::plain());
    let (top, _) = text.split_once("No change").expect("a verdict");
    for part in [
        "numbers of threads differ: 4 before, 8 after",
        "processors differ: PDP-10 before, PDP-11 after",
        "machines differ: node1 before, node2 after",
        "OMP_PROC_BIND differs: unset before, `close` after",
        "after: the threads were without a processor for 20.0 %",
        "WARNING: after, run 2: events were lost",
    ] {
        assert!(top.contains(part), "`{part}` in:\n{text}");
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let after = runs(21, &STEADY.map(|time| time * 2.0));
    let comparison = Comparison::of(runs(18, &STEADY), after, 0.05);
    for width in [60, 80, 100, 140] {
        let text = to_text(&comparison, &[Gate::Wall], Style { width, ..Style::plain() });
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
        assert!(text.contains("Slower") && text.contains("Regression: wall time"), "{text}");
    }
}

/// README.md has a line for every field.
#[test]
fn the_documents_fields_are_documented() {
    let after = runs(21, &STEADY.map(|time| time * 2.0));
    let comparison = Comparison::of(runs(18, &STEADY), after, 0.05);
    let json = to_json(&comparison, &[Gate::Wall]);
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(document["format"], "oxomp-diff");
    assert_eq!(document["version"], 1);
    assert_eq!(document["verdict"], "more");
    assert_eq!(document["regressions"], serde_json::json!(["wall time"]));
    assert_eq!(document["constructs"][0]["after"]["line"], 21);
    let readme = include_str!("../../README.md");
    let mut fields = Vec::new();
    collect(&document, &mut fields);
    for field in fields {
        assert!(readme.contains(&format!("`{field}`")), "README.md tells nothing of `{field}`");
    }
}

fn collect(value: &serde_json::Value, fields: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                fields.push(name.clone());
                collect(value, fields);
            }
        }
        serde_json::Value::Array(array) => array.iter().for_each(|value| collect(value, fields)),
        _ => {}
    }
}

#[test]
fn a_class_is_compared_as_a_sum_over_threads() {
    let mut after = runs(18, &STEADY);
    for run in &mut after.runs {
        run.by_class[Class::Imbalance as usize] = 50.0 * MS;
    }
    let comparison = Comparison::of(runs(18, &STEADY), after, 0.05);
    let [row] = comparison.classes.as_slice() else { panic!("{:?}", comparison.classes) };
    assert!(matches!(row.subject, Subject::Class(class) if class.name() == "load imbalance"));
    assert_eq!(row.wall_by, 12.5 * MS);
    assert!(row.is_worse());
}
