//! The text for terminals, and comparisons of two scales.

use oxomp_analysis::summary::Class;
use oxomp_compare::{Comparison, Gate, Run, RunSet};
use oxomp_scale::{ContendedCode, Contention, CountComparison, Scale, ScaleComparison, to_text};
use oxomp_text::Style;

use crate::made::{region, run, waiting, with_team};

fn text(width: usize) -> String {
    let runs = [waiting(1, 1000.0, 0.0), waiting(2, 1000.0, 400.0), waiting(16, 1000.0, 900.0)];
    let scale = Scale::of(runs.into(), 8).unwrap();
    to_text(&scale, "9.9.9", Style { width, ..Style::plain() })
}

#[test]
fn the_text_has_the_table_the_losses_and_the_regions() {
    let text = text(100);
    for part in [
        "oxomp 9.9.9 scale  ./bins 100",
        "NOTE: 16 threads are more than the 8 processors",
        "16!",
        "Lost with 2 threads, against the ideal",
        "locks & criticals",
        "critical bins.c:12",
        "Region in count (bins.c:9), stops scaling at 2",
        "speed-up",
        "unknown (`--repeat 3`)",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
}

#[test]
fn the_table_names_the_code_in_which_threads_meet() {
    let of = |threads: u32, useful: f64| {
        let mut run = run(threads, 0.0, &[(9, with_team(threads, useful, &[]))]);
        let place = "bins.c:11 in wait_for".to_owned();
        let code = ContendedCode { share: 0.1 * f64::from(threads), samples: 100.0, place };
        run.contention.insert((region(9), Contention::Spinning), code);
        run
    };
    let scale = Scale::of(vec![of(1, 400.0), of(4, 1200.0)], 8).unwrap();
    let text = to_text(&scale, "", Style { width: 140, ..Style::plain() });
    assert!(text.contains("loops that wait for a variable bins.c:11 in wait_for"), "{text}");
}

#[test]
fn lines_fit_into_narrow_terminals() {
    for width in [60, 80, 100] {
        for line in text(width).lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn regions_beyond_those_with_a_table_are_counted() {
    let of = |threads| {
        let region = |line| (line, with_team(threads, 100.0, &[(Class::ForkJoin, 1.0)]));
        run(threads, 0.0, &(1..=20).map(region).collect::<Vec<_>>())
    };
    let scale = Scale::of([1, 2].map(of).into(), 8).unwrap();
    let text = to_text(&scale, "", Style::plain());
    assert!(text.contains("14 regions without a table"), "{text}");
}

fn comparison(before: f64, after: f64) -> Comparison {
    let set =
        |wall_ns| RunSet { name: "a".to_owned(), runs: vec![Run { wall_ns, ..Run::default() }] };
    Comparison::of(set(before), set(after), 0.05)
}

#[test]
fn two_scales_are_compared_number_by_number() {
    let counts = [(1, comparison(1e9, 1e9)), (4, comparison(5e8, 2.5e8))];
    let counts = counts.map(|(threads, comparison)| CountComparison { threads, comparison });
    let both = ScaleComparison { counts: counts.into(), unmatched: vec![8] };
    let text = both.to_text(&[Gate::Wall], Style::plain());
    let row = text.lines().find(|line| line.trim_start().starts_with("4 ")).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[1..], ["500.0", "ms", "250.0", "ms", "-50.0", "%", "2.00", "4.00", "faster"]);
    assert!(text.contains("Only one side has runs with 8 threads"), "{text}");
    assert!(text.contains("Whole run"), "{text}");
    assert!(!both.is_worse(&[Gate::Wall]));
    let json: serde_json::Value = serde_json::from_str(&both.to_json(&[Gate::Wall])).unwrap();
    assert_eq!(json["format"], "oxomp-scale-diff");
    assert_eq!(json["counts"][1]["comparison"]["format"], "oxomp-diff");
    let worse = CountComparison { threads: 4, comparison: comparison(2e8, 4e8) };
    let worse = ScaleComparison { counts: vec![worse], unmatched: vec![] };
    assert!(worse.is_worse(&[Gate::Wall]) && !worse.is_worse(&[]));
}
