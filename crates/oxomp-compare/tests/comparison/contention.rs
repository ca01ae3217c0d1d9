//! Code in which threads meet in memory, before and after a change.

use oxomp_analysis::summary::{
    AtomicUpdate, Gain, LineSharing, MemoryObject, RecordingCost, Sampled, SharedLines,
    SharedPlace, SiteId, SpinLoop, Summary,
};
use oxomp_compare::{Comparison, Contention, Run, Verdict, to_json, to_text};
use oxomp_text::Style;

use crate::made::set;
use crate::summaries::{empty, region, run};

const MS: u64 = 1_000_000;

/// A run of 100 ms in a region with 400 samples.
fn summary() -> Summary {
    let mut summary = empty();
    summary.regions = vec![region(0, 100 * MS, Gain::default())];
    summary.sampled = Some(Sampled { taken: 400, period_ns: MS, ..Sampled::default() });
    summary.header.wall_ns = 100 * MS;
    summary
}

fn line(line: u32) -> Option<(String, u32)> {
    Some(("/src/solver.c".to_owned(), line))
}

/// A summary in which `samples` samples are at an atomic update.
fn updates(samples: u64) -> Summary {
    let update = AtomicUpdate {
        region: Some(SiteId(0)),
        function: "relax".to_owned(),
        line: line(23),
        instruction: "lock xadd".to_owned(),
        samples,
        of: 400,
    };
    Summary { atomics: vec![update], ..summary() }
}

fn comparison(before: &Summary, after: &Summary) -> Comparison {
    let of = |summary: &Summary| set("x", vec![run(summary)]);
    Comparison::of(of(before), of(after), 0.05)
}

fn text(comparison: &Comparison) -> String {
    let text = to_text(comparison, &[], Style::plain());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn code_that_came_went_or_grew_is_told() {
    for (before, after, expected) in [
        (
            summary(),
            updates(160),
            "atomic updates new: 40.0 % of the samples of the region in relax",
        ),
        (updates(160), summary(), "atomic updates gone: 40.0 % of the samples"),
        (updates(40), updates(160), "atomic updates grown: 10.0 % -> 40.0 % of the samples"),
        (updates(160), updates(40), "atomic updates shrunk: 40.0 % -> 10.0 % of the samples"),
    ] {
        let text = text(&comparison(&before, &after));
        assert!(text.contains(expected), "`{expected}` in: {text}");
        assert!(text.contains("most at solver.c:23 (lock xadd)"), "{text}");
    }
}

#[test]
fn a_change_within_the_error_of_sampling_is_none() {
    // 10 % and 12 % of 400: the standard error of the difference is above 2 %.
    let near = comparison(&updates(40), &updates(48));
    assert_eq!(near.contention[0].verdict, Verdict::Same);
    assert!(!text(&near).contains("meet in memory"));
    // 16 of 20 samples are too few to tell from 11 of 20.
    let few = |samples| {
        let mut summary = updates(samples);
        summary.atomics[0].of = 20;
        summary
    };
    assert_eq!(comparison(&few(11), &few(16)).contention[0].verdict, Verdict::Same);
    assert_eq!(comparison(&few(1), &few(16)).contention[0].verdict, Verdict::More);
}

#[test]
fn kept_samples_decide_for_shared_lines() {
    let lines = |samples, taken| {
        let places = vec![SharedPlace { function: "add".to_owned(), line: line(7), writes: true }];
        let one = SharedLines {
            region: Some(SiteId(0)),
            sharing: LineSharing::Neighbours(8),
            places,
            object: MemoryObject::Unknown,
            threads: 2,
            lines: 1,
            samples,
            taken,
            of: 400,
        };
        Summary { shared_lines: vec![one], ..summary() }
    };
    let known = comparison(&lines(80, 80), &lines(160, 160));
    assert_eq!(known.contention[0].verdict, Verdict::More);
    assert_eq!(known.contention[0].place(), "solver.c:7 in add");
    let guessed = comparison(&lines(80, 8), &lines(160, 16));
    assert_eq!(guessed.contention[0].verdict, Verdict::Same, "{:?}", guessed.contention);
}

#[test]
fn nothing_is_new_where_nothing_was_sampled() {
    let unsampled = Summary { sampled: None, ..summary() };
    assert!(comparison(&unsampled, &updates(160)).contention.is_empty());
}

#[test]
fn loops_that_wait_for_a_variable_are_in_the_document() {
    let spin = SpinLoop {
        region: Some(SiteId(0)),
        function: "wait_for".to_owned(),
        line: line(31),
        samples: 100,
        of: 400,
    };
    let after = Summary { spins: vec![spin], ..summary() };
    let json = to_json(&comparison(&summary(), &after), &[]);
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let one = &document["contention"][0];
    assert_eq!(one["code"], Contention::Spinning.name());
    assert_eq!((&one["before"], &one["after"]), (&0.0.into(), &0.25.into()));
    assert_eq!(
        (&one["verdict"], &one["place"]),
        (&"more".into(), &"solver.c:31 in wait_for".into())
    );
    assert_eq!((&one["region"]["line"], &one["samples"][0]), (&1.into(), &400.0.into()));
}

#[test]
fn what_recording_took_is_said_where_it_is_much() {
    let with = |cost_ns| {
        let mut summary = summary();
        summary.budget.total_ns = 400 * MS;
        summary.quality.recording = vec![RecordingCost { class: "tasks", events: 9, cost_ns }];
        summary
    };
    let much = comparison(&with(4 * MS), &with(20 * MS));
    let said = "recording took 1.0 % of the threads' time before, 5.0 % after";
    assert!(text(&much).contains(said), "{}", text(&much));
    let document: serde_json::Value = serde_json::from_str(&to_json(&much, &[])).unwrap();
    assert_eq!(document["after"]["recording"], 0.05);
    let little = comparison(&with(4 * MS), &with(6 * MS));
    assert!(!text(&little).contains("recording took"));
    assert_eq!(run(&summary()).facts.recording, None, "it is not known");
    assert_eq!(Run::default().facts.recording, None);
}
