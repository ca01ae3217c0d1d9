//! `oxomp profile --pid` on programs that are in a parallel region when the recording begins, with
//! the command, the runtime and the collector as `cargo xtask dist` puts them.

use oxomp_prerequisites::Program;
use rustix::process::Signal;
use serde_json::Value;

mod running;

use running::{Place, text};

/// Parts of a second: what the thread that tests for the end of a loop may be late, and the moment
/// between the collector's begin and the first events.
const TOLERANCE: f64 = 0.15;

/// Records the program of `way` for as long as `seconds` says, and checks that the report fits.
/// Returns the program's numbers and what the command said.
fn recorded(compiler: Program, way: &str, seconds: &str) -> (Value, String) {
    let place = Place::with(compiler, "under_way.c");
    let mut program = place.start(way);
    let output = program.is_ready();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let words = ["--duration", seconds, "-o", "data"];
    let recorded = place.profile(program.pid(), &words).output().expect("the command");
    let said = text(&recorded);
    assert_eq!(recorded.status.code(), Some(0), "{said}");
    program.signal(Signal::TERM);
    program.ends_well(output);
    let document = place.document("data");
    check(&document, &said);
    (document, said)
}

/// Each thread's times add up to its share of the recording, and nothing was odd.
fn check(document: &Value, said: &str) {
    for odd in ["WARNING", "fitted nowhere", "truncated"] {
        assert!(!said.contains(odd), "{odd}: {said}");
    }
    assert!(said.contains("accounted 100.0 %"), "{said}");
    let wall = number(&document["run"]["wall_ns"]);
    for thread in list(&document["threads"]) {
        let classes = thread["ns"].as_object().expect("by class").values();
        let all: f64 = classes.map(number).sum();
        assert!((all / wall - 1.0).abs() < 0.05, "{all} of {wall}: {thread:#}\n{said}");
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number: {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

/// The regions that were under way.
fn under_way(document: &Value) -> Vec<&Value> {
    let regions = list(&document["regions"]).iter();
    regions.filter(|region| number(&region["under_way"]) > 0.0).collect()
}

/// The share of the class in the time of the region's threads.
fn lost(region: &Value, class: &str) -> f64 {
    number(&region["gain"][class]) / number(&region["wall_ns"])
}

/// Thread 1 waits 8 of 12 ms: a third of the time of both.
#[test]
fn the_imbalance_of_a_region_without_end_is_seen() {
    for compiler in [Program::Gcc, Program::Clang] {
        let (document, said) = recorded(compiler, "imbalance", "1.5");
        let [region] = under_way(&document)[..] else { panic!("{document:#}") };
        assert_eq!((&region["calls"], &region["under_way"]), (&1.into(), &1.into()), "{region:#}");
        assert_eq!((&region["team_min"], &region["team_max"]), (&2.into(), &2.into()));
        let wall = number(&document["run"]["wall_ns"]);
        assert!(number(&region["wall_ns"]) > 0.95 * wall, "{region:#}");
        let imbalance = lost(region, "imbalance_ns");
        assert!((imbalance - 1.0 / 3.0).abs() < TOLERANCE, "{imbalance}: {region:#}\n{said}");
        assert!(said.contains("1 call was under way when the recording began"), "{said}");
        // The construct's line, and the loop in it, which the waits at its end belong to.
        assert!(said.contains("imbalance") && said.contains("under_way.c:"), "{said}");
        let works = list(&region["worksharing"]).iter().map(|work| &work["kind"]);
        let works: Vec<_> = works.filter_map(Value::as_str).collect();
        assert!(works.iter().any(|work| work.contains("for")), "{works:?}");
        let waits = list(&document["barriers"]).iter().map(|barrier| number(&barrier["late_ns"]));
        let waits: f64 = waits.sum::<f64>() / (2.0 * wall);
        assert!((waits - 1.0 / 3.0).abs() < TOLERANCE, "{waits}: {document:#}");
    }
}
