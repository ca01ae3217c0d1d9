//! `oxomp profile --pid` on programs that are in a parallel region when the recording begins, with
//! the command, the runtime and the collector as `cargo xtask dist` puts them.

use std::thread::sleep;
use std::time::Duration;

use oxomp_prerequisites::Program;
use rustix::process::Signal;
use serde_json::Value;

mod running;

use running::{Place, Service, text};

/// By how much of the time a share may differ from the planted one: the threads sleep a little
/// longer than they are told to, and get no processor at once.
const TOLERANCE: f64 = 0.2;

/// What a command has recorded of a program that goes on.
struct Recorded {
    document: Value,
    said: String,
}

/// Records the program for so many seconds.
fn record(place: &Place, program: &Service, seconds: &str, folder: &str) -> Recorded {
    let words = ["--duration", seconds, "-o", folder];
    let recorded = place.profile(program.pid(), &words).output().expect("the command");
    let said = text(&recorded);
    assert_eq!(recorded.status.code(), Some(0), "{said}");
    let recorded = Recorded { document: place.document(folder), said };
    recorded.check();
    recorded
}

/// Records the program of `way` for so many seconds, when it has been in its region for a while.
fn recorded(compiler: Program, way: &str, seconds: &str) -> Recorded {
    let place = Place::with(compiler, "under_way.c");
    let mut program = place.start(way);
    let output = program.is_ready();
    sleep(Duration::from_millis(300));
    let recorded = record(&place, &program, seconds, "data");
    program.signal(Signal::TERM);
    program.ends_well(output);
    recorded
}

impl Recorded {
    /// Nothing was odd, and the times of each thread add up to the time of the recording.
    fn check(&self) {
        let Self { document, said } = self;
        for odd in ["WARNING", "fitted nowhere", "truncated", "without ends"] {
            assert!(!said.contains(odd), "{odd}: {said}");
        }
        assert!(said.contains("accounted 100.0 %"), "{said}");
        for thread in self.list("threads") {
            let classes = thread["classes"].as_object().expect("an object").values();
            let all = classes.map(number).sum::<f64>() / self.wall();
            assert!((all - 1.0).abs() < 0.01, "{all}: {thread:#}\n{document:#}");
        }
    }

    fn wall(&self) -> f64 {
        number(&self.document["run"]["wall_ns"])
    }

    fn list(&self, name: &str) -> &[Value] {
        self.document[name].as_array().unwrap_or_else(|| panic!("{name}: {:#}", self.document))
    }

    /// The regions that were under way, the outer ones first.
    fn under_way(&self) -> Vec<&Value> {
        let regions = self.list("regions").iter();
        let mut regions: Vec<_> =
            regions.filter(|region| number(&region["under_way"]) > 0.0).collect();
        regions.sort_by_key(|region| region["nested"].as_u64());
        regions
    }

    /// The only region that was under way.
    #[track_caller]
    fn region(&self) -> &Value {
        let [region] = self.under_way()[..] else { panic!("{:#}", self.document) };
        // Where clang's code jumps after the call, the place is that of `main`.
        assert!(
            ["under_way.c", "main"].iter().any(|it| label(region).starts_with(it)),
            "{region:#}"
        );
        assert_eq!([&region["calls"], &region["under_way"]], [1, 1], "{region:#}");
        assert_eq!([&region["team_min"], &region["team_max"]], [2, 2], "{region:#}");
        region
    }

    /// The share of the region's time, all its threads together, that goes to the class.
    fn lost(&self, region: &Value, class: &str) -> f64 {
        number(&region["gain"][class]) / number(&region["wall_ns"])
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number: {value}"))
}

fn label(row: &Value) -> &str {
    row["place"]["label"].as_str().unwrap_or_else(|| panic!("a place: {row:#}"))
}

#[track_caller]
fn assert_near(share: f64, planted: f64, recorded: &Recorded) {
    let Recorded { document, said } = recorded;
    assert!((share - planted).abs() < TOLERANCE, "{share}, not {planted}: {said}\n{document:#}");
}

/// Thread 1 waits 8 of 12 ms, which is a third of the time of both.
#[test]
fn the_imbalance_of_a_region_without_end_is_seen() {
    for compiler in [Program::Gcc, Program::Clang] {
        let recorded = recorded(compiler, "imbalance", "1.5");
        let region = recorded.region();
        assert!(label(region).starts_with("under_way.c:"), "{region:#}");
        assert!(number(&region["wall_ns"]) > 0.99 * recorded.wall(), "{region:#}");
        assert_near(recorded.lost(region, "imbalance_ns"), 1.0 / 3.0, &recorded);
        let said = &recorded.said;
        assert!(said.contains("1 call was under way when the recording began"), "{said}");
        assert!(said.contains("under way "), "{said}");
        let barriers = recorded.list("barriers").iter();
        let late = barriers.map(|barrier| number(&barrier["imbalance_ns"])).sum::<f64>();
        assert_near(late / (2.0 * recorded.wall()), 1.0 / 3.0, &recorded);
        // The thread that waits is the one that had less to do.
        assert_eq!(recorded.list("threads").len(), 2, "{said}");
        for thread in recorded.list("threads") {
            let waits = number(&thread["classes"]["imbalance_ns"]) / recorded.wall();
            let planted = if thread["initial"] == true { 0.0 } else { 2.0 / 3.0 };
            assert_near(waits, planted, &recorded);
        }
        let works = region["worksharing"].as_array().expect("a list").iter();
        assert!(works.clone().any(|work| work["kind"] == "single"), "{region:#}");
        // A static loop of gcc's is no call of the runtime.
        let has_loop = works.clone().any(|work| work["kind"] == "for static");
        assert_eq!(has_loop, compiler == Program::Clang, "{region:#}");
    }
}

/// Both threads execute tasks nearly all the time: one in a taskwait, the other one at a barrier,
/// and both waits were under way.
#[test]
fn tasks_in_waits_that_were_under_way_are_seen() {
    for compiler in [Program::Gcc, Program::Clang] {
        let recorded = recorded(compiler, "tasks", "1.5");
        let region = recorded.region();
        let [tasks] = recorded.list("tasks") else { panic!("{:#}", recorded.document) };
        assert!(label(tasks).starts_with("under_way.c:"), "{tasks:#}");
        let work = number(&tasks["time_ns"]) / (2.0 * recorded.wall());
        assert_near(work, 1.0, &recorded);
        for thread in recorded.list("threads") {
            let classes = &thread["classes"];
            let waits: f64 = ["imbalance_ns", "barrier_ns", "taskwait_ns", "starved_ns"]
                .iter()
                .map(|class| number(&classes[class]))
                .sum();
            assert_near(waits / recorded.wall(), 0.0, &recorded);
        }
        assert_near(recorded.lost(region, "starved_ns"), 0.0, &recorded);
    }
}

#[test]
fn nested_regions_that_were_under_way_are_seen() {
    for compiler in [Program::Gcc, Program::Clang] {
        let recorded = recorded(compiler, "nested", "1.5");
        let regions = recorded.under_way();
        let calls: Vec<_> = regions.iter().map(|region| region["calls"].as_u64()).collect();
        let nested: Vec<_> = regions.iter().map(|region| region["nested"].as_u64()).collect();
        assert_eq!((calls, nested), (vec![Some(1), Some(2)], vec![Some(0), Some(2)]));
        assert_eq!(recorded.document["run"]["threads"], 4, "{}", recorded.said);
        for region in &regions {
            assert_eq!([&region["team_min"], &region["team_max"]], [2, 2], "{region:#}");
        }
        assert!(label(regions[1]).contains("under_way.c:"), "{:#}", regions[1]);
        let waits: Vec<f64> = recorded
            .list("threads")
            .iter()
            .map(|thread| number(&thread["classes"]["imbalance_ns"]) / recorded.wall())
            .collect();
        let waiting = waits.iter().filter(|share| **share > 0.5).count();
        assert_eq!(waiting, 2, "one of each inner team: {waits:?}");
    }
}

/// The region ends, and with it a mutex is released that was acquired before.
#[test]
fn a_region_that_was_under_way_ends() {
    for compiler in [Program::Gcc, Program::Clang] {
        let recorded = recorded(compiler, "ends", "4");
        let region = recorded.region();
        let length = number(&region["wall_ns"]);
        assert!(length < 0.9 * recorded.wall(), "{region:#}");
        assert_near(recorded.lost(region, "imbalance_ns"), 1.0 / 3.0, &recorded);
        let others = recorded.list("regions").iter().filter(|region| region["under_way"] == 0);
        let others: Vec<_> = others.collect();
        let [other] = others[..] else { panic!("{:#}", recorded.document) };
        assert!(number(&other["calls"]) > 20.0, "{other:#}");
        let both = length + number(&other["wall_ns"]);
        assert_near(both / recorded.wall(), 1.0, &recorded);
    }
}

/// Each recording finds what the one before has left in the same region.
#[test]
fn one_region_is_recorded_twenty_times() {
    let place = Place::with(Program::Gcc, "under_way.c");
    let mut program = place.start("imbalance");
    let output = program.is_ready();
    for number in 0..20 {
        let recorded = record(&place, &program, "0.3", &format!("data-{number}"));
        recorded.region();
        assert_eq!(recorded.list("threads").len(), 2, "{}", recorded.said);
    }
    program.signal(Signal::TERM);
    program.ends_well(output);
}
