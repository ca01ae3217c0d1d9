//! The text on serial code.

use oxomp_analysis::report::{Style, render};
use oxomp_analysis::summary::{HotCode, HotStretch, Sampled, SerialStretch, SiteId};

use super::{MS, S, notes, places, solver};

/// The line of samples in a stretch says where it begins and ends: of two behind one region, each
/// has words of its own, once.
#[test]
fn samples_of_stretches_behind_one_region_are_told_apart() {
    let mut summary = solver();
    let stretch = |before: u32| SerialStretch {
        after: Some(SiteId(0)),
        before: Some(SiteId(before)),
        count: 10,
        total_ns: S,
        max_ns: 200 * MS,
        gain_ns: 500 * MS,
        ..SerialStretch::default()
    };
    summary.serial = vec![stretch(1), stretch(2)];
    let hot = |before: u32, function: &str, line: u32| HotStretch {
        after: Some(SiteId(0)),
        before: Some(SiteId(before)),
        samples: 100,
        code: vec![HotCode {
            function: function.to_owned(),
            line: Some(("/src/solver.c".to_owned(), line)),
            samples: 100,
            serial: 100,
            ..HotCode::default()
        }],
        ..HotStretch::default()
    };
    summary.sampled = Some(Sampled {
        taken: 200,
        period_ns: 4 * MS,
        stretches: vec![hot(1, "assemble", 77), hot(2, "output", 9)],
        ..Sampled::default()
    });
    let text = render(&summary, &places(), &notes(), Style::plain());
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("  samples ")).collect();
    let expected = [
        "  samples from solver.c:118 to solver.c:140: assemble solver.c:77 (100.0 %)",
        "  samples from solver.c:118 to hist.c:41: output solver.c:9 (100.0 %)",
    ];
    assert_eq!(lines, expected, "{text}");
}
