//! The text on loops: predicted gains, ordered loops, and the construct that is uneven.

use oxomp_analysis::report::{Style, render};
use oxomp_analysis::summary::{ExpectedGain, Loop, MutexKind, SiteId, WorkKind, in_source};

use super::{MS, S, notes, places, solver};

#[test]
fn a_predicted_gain_takes_the_place_of_the_bound_if_it_is_good() {
    let mut summary = solver();
    let site = summary.regions[0].site;
    summary.loops = vec![Loop {
        region: site,
        site,
        kind: WorkKind::LoopDynamic,
        threads: 4,
        executions: 8,
        iterations: 4000,
        count: 2000,
        chunks: 40,
        sizes: (100, 100),
        time_ns: 12 * S,
        longest_ns: S,
        parts_ns: [S, S, S, 9 * S],
        ..Loop::default()
    }];
    let advice = |gain_ms: u64, error_ms: u64| {
        let mut summary = summary.clone();
        let change = "schedule(dynamic,7)".to_owned();
        let (gain_ns, error_ns) = (gain_ms * MS, error_ms * MS);
        summary.expected = vec![ExpectedGain { loop_index: 0, change, gain_ns, error_ns }];
        let text = render(&summary, &places(), &notes(), Style::plain());
        let words: Vec<_> = text.split_whitespace().collect();
        words.join(" ").split_once("Try first").expect("advice").1.to_owned()
    };
    let good = advice(1500, 200);
    let words = "backwards, or chunks smaller than 100, as schedule(dynamic,7): \
                 gain about 1.50 s ± 200.0 ms (15.0 %)";
    assert!(good.contains(words) && good.contains("a gain with ± is an estimate"), "{good}");
    // Within its error, or little of the bound of 1.94 s.
    for (gain, error) in [(1500, 1600), (700, 10)] {
        let bound = advice(gain, error);
        assert!(bound.starts_with(" (gains are upper bounds)"), "{bound}");
        assert!(bound.contains("gain ≤ 1.94 s") && !bound.contains("dynamic,7"), "{bound}");
    }
}

/// Chunks of one iteration are advised for an ordered loop only where some are larger.
#[test]
fn an_ordered_loop_is_told_of_smaller_chunks_only_if_there_are() {
    let mut summary = solver();
    summary.mutexes[0].kind = MutexKind::Ordered;
    let advice = |chunks, directive: &str| {
        let mut summary = summary.clone();
        if !directive.is_empty() {
            let of_loop = in_source(&format!("#pragma omp {directive}\n"), 1);
            summary.directives.insert(SiteId(1), of_loop);
        }
        summary.loops = vec![Loop {
            region: summary.regions[0].site,
            site: Some(SiteId(1)),
            kind: WorkKind::LoopDynamic,
            threads: 4,
            executions: 40,
            iterations: 800,
            count: 80,
            chunks,
            sizes: (800 / chunks, 800 / chunks),
            time_ns: S,
            longest_ns: 20 * MS,
            parts_ns: [S / 4; 4],
            ..Loop::default()
        }];
        let text = render(&summary, &places(), &notes(), Style::plain());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (one, several) = (advice(800, ""), advice(200, ""));
    assert!(one.contains("need not be ordered before or after it, or doacross"), "{one}");
    assert!(several.contains("after it, chunks of one iteration, or doacross"), "{several}");
    assert_eq!(advice(200, "for ordered schedule(dynamic, 4)"), several);
    let other = advice(200, "for schedule(dynamic, 4)");
    assert!(other.contains("before or after it, or doacross"), "another loop's chunks: {other}");
}

/// A region in which most of the time is in a loop that hands out one iteration at a time, and the
/// imbalance in sections before it.
#[test]
fn imbalance_is_that_of_the_construct_whose_chunks_are_uneven() {
    let mut summary = solver();
    let site = summary.regions[0].site;
    let ordered = Loop {
        region: site,
        site: Some(SiteId(1)),
        kind: WorkKind::LoopDynamic,
        threads: 4,
        executions: 40,
        iterations: 800,
        count: 80,
        chunks: 800,
        sizes: (1, 1),
        time_ns: 16 * S,
        longest_ns: 20 * MS,
        parts_ns: [4 * S; 4],
        ..Loop::default()
    };
    let sections = Loop {
        site: Some(SiteId(2)),
        kind: WorkKind::Sections,
        executions: 40,
        iterations: 40,
        count: 4,
        chunks: 40,
        time_ns: 8 * S,
        longest_ns: 500 * MS,
        ..ordered.clone()
    };
    let mut advice = |loops: Vec<Loop>| {
        summary.loops = loops;
        let text = render(&summary, &places(), &notes(), Style::plain());
        let words: Vec<_> = text.split_whitespace().collect();
        words.join(" ").split_once("Try first").expect("advice").1.to_owned()
    };
    let both = advice(vec![ordered.clone(), sections]);
    assert!(both.contains("4 sections for 4 threads, the longest takes 500.0 ms"), "{both}");
    // There are no chunks smaller than one iteration.
    let alone = advice(vec![ordered]);
    assert!(alone.contains("on average: split the costly iterations"), "{alone}");
    assert!(!alone.contains("smaller than 1"), "{alone}");
}
