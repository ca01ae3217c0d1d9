//! Target constructs of two runs: recordings of sums made by hand.

use oxomp_analysis::summarize;
use oxomp_analysis::symbols::Place;
use oxomp_compare::{Comparison, Gate, Group, Run, RunSet, to_json, to_text};
use oxomp_text::Style;
use oxomp_trace::fold::target;
use oxomp_trace::offload::target_kind;
use oxomp_trace::{EventKind, FileHeader, FoldEntry, FoldKind, Profile, Record, ThreadEvents};

use crate::made::set;

const MS: u64 = 1_000_000;

/// A construct's sums; times are ms, sizes MB.
#[derive(Clone, Copy)]
struct Sums {
    kind: u8,
    code: u64,
    device: u64,
    time: u64,
    calls: u64,
    bytes: u64,
}

fn entry(sums: Sums) -> FoldEntry {
    let mut entry =
        FoldEntry { kind: FoldKind::Target as u32, sub: sums.kind.into(), ..FoldEntry::default() };
    entry.key = [sums.code, sums.device, 0];
    entry.values[target::CALLS] = sums.calls;
    entry.values[target::TIME] = sums.time * MS;
    entry.values[target::KERNELS] = 2 * sums.calls;
    entry.values[target::TO_BYTES] = sums.bytes * 1_000_000;
    entry.values[target::FROM_BYTES] = 5_000_000;
    entry
}

/// A run of 200 ms with these constructs.
fn run(constructs: &[Sums]) -> Run {
    let event = |tick, kind: EventKind| Record { tick, kind: kind as u8, ..Record::default() };
    let begin = Record { sub: 1, ..event(0, EventKind::ThreadBegin) };
    let records = vec![begin, event(200 * MS, EventKind::ThreadEnd)];
    let folded = constructs.iter().map(|sums| entry(*sums)).collect();
    let profile = Profile {
        header: FileHeader { ticks_per_second: 1_000_000_000, ..FileHeader::default() },
        threads: vec![ThreadEvents { number: 0, records, folded }],
        ..Profile::default()
    };
    let summary = summarize(&profile);
    let places: Vec<Place> = summary
        .sites
        .iter()
        .map(|site| Place {
            function: Some("relax".to_owned()),
            line: Some(("/src/solver.c".to_owned(), site.codeptr as u32)),
            module: Some("solver".to_owned()),
            offset: site.codeptr,
            behind: None,
            body: None,
        })
        .collect();
    Run::of(&summary, &places)
}

fn runs(constructs: &[Sums]) -> RunSet {
    set("a folder", (0..5).map(|_| run(constructs)).collect())
}

const BEFORE: Sums =
    Sums { kind: target_kind::TARGET, code: 20, device: 0, time: 80, calls: 10, bytes: 160 };

fn text(before: &[Sums], after: &[Sums]) -> String {
    let comparison = Comparison::of(runs(before), runs(after), 0.05);
    let text = to_text(&comparison, &[Gate::Wall], Style::plain());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn time_kernels_and_bytes_are_compared() {
    let after = Sums { kind: target_kind::TARGET_NOWAIT, time: 30, calls: 5, bytes: 8, ..BEFORE };
    let comparison = Comparison::of(runs(&[BEFORE]), runs(&[after]), 0.05);
    // The other one is the serial code around it.
    let [row, _] = comparison.constructs.as_slice() else { panic!("{:?}", comparison.constructs) };
    assert_eq!(row.subject.construct().unwrap().to_string(), "the target in relax (solver.c:20)");
    assert_eq!((row.change.by, row.counts), (-50.0 * MS as f64, (10, 5)));
    let text = text(&[BEFORE], &[after]);
    for part in [
        "Target constructs, time of the threads in them before after",
        "1 target relax solver.c:20 80.00 ms 30.00 ms -50.00 ms -62.5 %",
        "1: without nowait -> nowait; 10 times -> 5; 20 -> 10 kernels; \
         160 MB -> 8.00 MB to the device",
    ] {
        assert!(text.contains(part), "`{part}` in {text}");
    }
    assert!(!text.contains("from the device"), "that has not changed: {text}");
    let json = to_json(&comparison, &[]);
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let one = &document["constructs"][0];
    assert_eq!(one["kernels"], serde_json::json!([20, 10]));
    assert_eq!(one["to_bytes"], serde_json::json!([160_000_000, 8_000_000]));
    assert_eq!(one["from_bytes"], serde_json::json!([5_000_000, 5_000_000]));
    assert_eq!(
        (&one["after"]["group"], &one["after"]["kind"]),
        (&"target".into(), &"target".into())
    );
}

#[test]
fn the_devices_of_a_construct_count_together() {
    let other = Sums { device: 1, ..BEFORE };
    let text = text(&[BEFORE], &[BEFORE, other]);
    let parts = ["80.00 ms 160.0 ms +80.00 ms", "20 -> 40 kernels; 160 MB -> 320 MB to the device"];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn the_parts_of_target_data_are_constructs_of_their_own() {
    let enter = Sums { kind: target_kind::ENTER_DATA, ..BEFORE };
    let exit = Sums { kind: target_kind::EXIT_DATA, time: 20, ..BEFORE };
    let slow = Sums { time: 60, ..exit };
    let comparison = Comparison::of(runs(&[enter, exit]), runs(&[enter, slow]), 0.05);
    let changed: Vec<_> = comparison.constructs.iter().filter(|row| row.is_worse()).collect();
    let [row] = changed.as_slice() else { panic!("{changed:?}") };
    assert_eq!(row.subject.construct().unwrap().kind.name, "target exit data");
    assert_eq!(comparison.regressions(&[Gate::Group(Group::Target)]).len(), 1);
    assert!(comparison.regressions(&[Gate::Group(Group::Region)]).is_empty());
}
