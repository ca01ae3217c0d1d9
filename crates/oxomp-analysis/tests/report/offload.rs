//! The section on constructs for devices.

use oxomp_analysis::report::{Style, render};
use oxomp_analysis::summary::{
    Beside, Direction, Offload, Overlap, RepeatedTransfer, SiteId, TargetConstruct, TargetKind,
    TargetParts, Transfer, Unfinished,
};

use super::{MS, assert_expected, notes, places, solver};

/// Data that go to a device and back around a kernel, small transfers, and small kernels.
fn offloading() -> Offload {
    let construct = |site, kind, calls: u64, kernel_ns: u64, to_ns: u64, from_ns: u64| {
        let time_ns = kernel_ns + to_ns + from_ns + calls * 10_000;
        TargetConstruct {
            site: Some(SiteId(site)),
            kind,
            device: Some(1),
            calls,
            time_ns,
            longest_ns: 2 * time_ns / calls,
            kernels: if kernel_ns > 0 { calls } else { 0 },
            parts: Some(TargetParts {
                kernel_ns,
                longest_kernel_ns: kernel_ns / calls,
                to_ns,
                from_ns,
                other_ns: calls * 10_000,
            }),
            to_bytes: to_ns * 10,
            from_bytes: from_ns * 10,
            teams: if kernel_ns > 0 { (1, 128) } else { (0, 0) },
            beside: Some(Beside { recorded_ns: time_ns / 2, worked_ns: time_ns / 8 }),
            ..TargetConstruct::default()
        }
    };
    let transfer = |site, direction, count, time_ns, small| Transfer {
        site: Some(SiteId(site)),
        direction,
        device: Some(1),
        count,
        bytes: time_ns * 10,
        time_ns: Some(time_ns),
        longest_ns: Some(2 * time_ns / count),
        small,
        small_bytes: small * 48,
        small_ns: Some(small * 9_000),
    };
    let repeated = |direction, variable: Option<&str>, time_ns: u64| RepeatedTransfer {
        site: Some(SiteId(0)),
        other: Some(SiteId(2)),
        direction,
        device: Some(1),
        address: 0x7f00_0000_1000,
        variable: variable.map(str::to_owned),
        size: 8 << 20,
        count: 399,
        bytes: 399 * (8 << 20),
        time_ns: Some(time_ns),
    };
    Offload {
        constructs: vec![
            construct(0, TargetKind::Target, 400, 900 * MS, 1_100 * MS, 700 * MS),
            construct(2, TargetKind::Target, 40_000, 600 * MS, 360 * MS, 0),
            construct(1, TargetKind::EnterDataNowait, 1, 0, 3 * MS, 0),
        ],
        transfers: vec![
            transfer(0, Direction::To, 400, 1_100 * MS, 0),
            transfer(0, Direction::From, 400, 700 * MS, 0),
            transfer(2, Direction::To, 40_000, 360 * MS, 40_000),
        ],
        repeated: vec![
            repeated(Direction::To, Some("grid"), 1_050 * MS),
            repeated(Direction::From, Some("grid"), 690 * MS),
        ],
        overlap: Some(Overlap {
            constructs_ns: 1_800 * MS,
            both_ns: 450 * MS,
            host_ns: 2_000 * MS,
        }),
    }
}

#[test]
fn constructs_for_devices_have_their_section() {
    let mut summary = solver();
    summary.offload = offloading();
    let text = render(&summary, &places(), &notes(), Style::plain());
    assert_expected("offload.txt", &text);
    let narrow = Style { width: 64, ..Style::plain() };
    let text = render(&summary, &places(), &notes(), narrow);
    let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 64).collect();
    assert!(wide.is_empty(), "{wide:?}");
}

#[test]
fn constructs_that_had_not_ended_are_named() {
    let mut summary = solver();
    summary.offload = offloading();
    let unfinished = |calls, in_kernel| Some(Unfinished { calls, in_kernel, longest_ns: 20 * MS });
    let constructs = &mut summary.offload.constructs;
    constructs[0].unfinished = unfinished(1, 1);
    constructs[1].unfinished = unfinished(3, 2);
    // Too short for a row otherwise.
    constructs[2].time_ns = 1_000;
    constructs[2].unfinished = unfinished(1, 0);
    let text = render(&summary, &places(), &notes(), Style::plain());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "target on device 1 solver.c:118: not finished: it was under way for 20.00 ms when the \
         recording ended, in a kernel",
        "target on device 1 hist.c:41: 3 of its calls are not finished: the longest was under way \
         for 20.00 ms when the recording ended; in kernels 2",
        "enter data nowait on device 1 solver.c:140: not finished: it was under way for 20.00 ms \
         when the recording ended ",
    ] {
        assert!(text.contains(part), "`{part}` in {text}");
    }
}

#[test]
fn a_little_offload_is_not_talked_about() {
    let mut summary = solver();
    let before = render(&summary, &places(), &notes(), Style::plain());
    let mut little = offloading();
    little.constructs.retain(|one| one.kind == TargetKind::EnterDataNowait);
    little.constructs[0].time_ns = MS;
    little.transfers.clear();
    little.repeated.clear();
    little.overlap = Some(Overlap { constructs_ns: MS, both_ns: 0, host_ns: 2_000 * MS });
    summary.offload = little;
    let text = render(&summary, &places(), &notes(), Style::plain());
    let line = "\n1 target construct with little time: 1.00 ms\n";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.replace(line, ""), before);
}
