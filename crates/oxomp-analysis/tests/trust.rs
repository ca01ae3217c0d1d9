//! What cannot be known is not said: runs that were killed, files that are damaged or full.

use oxomp_analysis::report::{Notes, Style, render};
use oxomp_analysis::summarize;
use oxomp_analysis::summary::Summary;
use oxomp_trace::{Damage, DamageKind, EventKind, FileHeader, Info, Profile, Record, ThreadEvents};

/// A thread that did nothing for a second, in a program that ended.
fn profile() -> Profile {
    let record =
        |tick, kind| Record { tick, kind: kind as u8, sub: 1, value: 1, ..Record::default() };
    let records = vec![record(0, EventKind::ThreadBegin), record(1_000, EventKind::ThreadEnd)];
    Profile {
        header: FileHeader { ticks_per_second: 1_000, ..FileHeader::default() },
        info: Info { cpu_ns: Some(41_000_000), end_tick: Some(1_000), ..Info::default() },
        threads: vec![ThreadEvents { number: 0, records, folded: Vec::new() }],
        ..Profile::default()
    }
}

fn text(summary: &Summary) -> String {
    render(summary, &[], &Notes::default(), Style::plain())
}

#[test]
fn a_run_that_ended_says_all() {
    let text = text(&summarize(&profile()));
    for part in ["wall 1.00 s", "CPU 41.00 ms", "accounted 100.0 %", "none lost"] {
        assert!(text.contains(part), "`{part}` in:\n{text}");
    }
}

#[test]
fn the_cpu_time_of_a_killed_program_is_unknown() {
    let mut profile = profile();
    profile.info.end_tick = None;
    let summary = summarize(&profile);
    assert_eq!(summary.header.cpu_ns, None);
    assert!(!text(&summary).contains("CPU 41"), "{}", text(&summary));
}

#[test]
fn a_recording_that_stopped_claims_no_more_than_it_has() {
    let mut profile = profile();
    profile.info.stopped = Some((500, "no room".to_owned()));
    let summary = summarize(&profile);
    assert_eq!(summary.header.cpu_ns, None, "it is that of the whole run");
    let text = text(&summary);
    for part in ["only the first 1.00 s", "all later ones lost", "no room"] {
        assert!(text.contains(part), "`{part}` in:\n{text}");
    }
    assert!(!text.contains("none lost"), "{text}");
}

#[test]
fn damaged_chunks_are_counted_as_lost() {
    let mut profile = profile();
    let damage = |chunk, what| Damage { chunk, what };
    profile.damage = vec![
        damage(3, DamageKind::Checksum),
        damage(5, DamageKind::Size(u32::MAX)),
        damage(6, DamageKind::Gap { owner: 0 }),
    ];
    let text = text(&summarize(&profile));
    assert!(text.contains("an unknown number lost in 2 damaged chunks"), "{text}");
    assert!(!text.contains("none lost"), "{text}");
    assert!(!text.contains("accounted"), "{text}");
}

#[test]
fn a_gap_alone_is_a_loss_too() {
    let mut profile = profile();
    profile.damage = vec![Damage { chunk: 6, what: DamageKind::Gap { owner: 0 } }];
    let text = text(&summarize(&profile));
    assert!(text.contains("an unknown number lost"), "{text}");
    assert!(!text.contains("none lost"), "{text}");
}

#[test]
fn an_end_in_the_middle_is_no_deviation_of_the_runtime() {
    let mut profile = profile();
    let record = |tick, kind: EventKind| Record { tick, kind: kind as u8, ..Record::default() };
    profile.threads[0].records[1] =
        Record { value: 1, code: 0x1000, ..record(500, EventKind::ParallelBegin) };
    profile.info.end_tick = None;
    let summary = summarize(&profile);
    assert_eq!(summary.quality.repaired, [], "the program was killed in a region");
    assert!(!text(&summary).contains("deviation"), "{}", text(&summary));
    profile.threads[0].records.push(record(900, EventKind::ThreadEnd));
    let repaired = summarize(&profile).quality.repaired;
    assert_eq!(repaired, [("ends that never came", 1)], "the thread has ended without its region");
    let summed_up = Record { value: 600, ..record(600, EventKind::FoldBegin) };
    profile.threads[0].records.insert(2, summed_up);
    assert_eq!(summarize(&profile).quality.repaired, [], "events were not recorded any more");
}
