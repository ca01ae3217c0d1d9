//! The gain that the summary's first advice predicts for another schedule: what the summary shows
//! of it, and, where `cargo xtask accuracy` runs the ignored tests, what following the advice wins.
//! For that the planted programs of tests/profiler/plants are recorded as they are, repaired, and
//! timed, several times: most predictions have to hold.

mod measured;

use std::path::{Path, PathBuf};
use std::time::Instant;

use oxomp_analysis::Analysis;
use oxomp_analysis::report::units::time;
use oxomp_analysis::report::{self, Names, try_first};
use oxomp_prerequisites::Program;
use oxomp_replay::{Advice, expected_gains};
use oxomp_testing::attempts::most_hold;

use measured::Bench;

/// How many runs are made: the fastest counts, since other processes only slow a run down.
const RUNS: u32 = 5;
/// In this many recordings at least one has an advice, however busy the machine is.
const RECORDINGS: u32 = 12;

/// A planted program and its repair, compiled.
struct Plant {
    bench: Bench,
    planted: PathBuf,
    repaired: PathBuf,
}

impl Plant {
    fn new(compiler: Program, file: &str) -> Self {
        let bench = Bench::new();
        let source = format!("plants/{file}");
        let is_fortran = Path::new(file).extension().is_some_and(|ending| ending == "f90");
        let language: &[&str] = if is_fortran { &["-cpp"] } else { &[] };
        let planted = bench.compile(compiler, &source, "planted", language);
        let options = [language, &["-DREPAIRED"]].concat();
        let repaired = bench.compile(compiler, &source, "repaired", &options);
        Self { bench, planted, repaired }
    }

    /// Records the planted program.
    fn record(&self) -> (Analysis, String) {
        self.bench.record(&[], &self.planted, &[], &[])
    }

    /// The first advice on a recorded run, the summary's text, and how long the run took, ns.
    fn first_advice(&self) -> (report::Advice, String, f64) {
        let (mut analysis, text) = self.record();
        analysis.summary.expected = expected_gains(&analysis);
        let advice = try_first(&analysis.summary, Names { places: &analysis.places });
        let first = advice.advices.into_iter().next().expect("an advice");
        let summary = &analysis.summary;
        let threads = f64::from(summary.header.max_team.max(1));
        let recording = summary.quality.recording_ns() as f64 / threads;
        (first, text, summary.header.wall_ns as f64 - recording)
    }

    /// What the repair wins, and the time of the planted program, ns.
    fn measure(&self) -> (f64, f64) {
        let once = |program: &Path| {
            let begin = Instant::now();
            self.bench.oxomp(&["run"], program, &[], &[]);
            begin.elapsed().as_nanos() as f64
        };
        let (mut planted, mut repaired) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..RUNS {
            planted = planted.min(once(&self.planted));
            repaired = repaired.min(once(&self.repaired));
        }
        (planted - repaired, planted)
    }
}

/// The summary's text shows the first gain as an estimate with its error, or as a bound, and no
/// gain is above the recorded time. Gains that are not firm have no numbers.
///
/// Where other processes have the processors for most of a run, no gain in it may be worth a line.
fn shown(compiler: Program, file: &str) {
    let plant = Plant::new(compiler, file);
    let mut recordings = (0..RECORDINGS).map(|_| {
        let (mut analysis, text) = plant.record();
        analysis.summary.expected = expected_gains(&analysis);
        (analysis, text)
    });
    let is_advised = |(analysis, _): &(Analysis, String)| {
        let names = Names { places: &analysis.places };
        !try_first(&analysis.summary, names).advices.is_empty()
    };
    let found = recordings.find(is_advised);
    let (analysis, text) = found.expect("an advice on one of the runs");
    let summary = &analysis.summary;
    let advice = try_first(summary, Names { places: &analysis.places });
    assert!(advice.advices.iter().all(|it| it.gain_ns <= summary.header.recorded_ns), "{advice:?}");
    let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = advice.advices.first().expect("an advice");
    let kind = if first.error_ns.is_some() { "gain about " } else { "gain ≤ " };
    let (_, listed) = shown.split_once("Try first (").expect("a list");
    let doubt = advice.doubt.as_deref().unwrap_or_default();
    let (_, lines) = text.split_once("Try first").expect("a list");
    assert!(listed.contains(doubt) && lines.contains("\n  1 ") == doubt.is_empty(), "{text}");
    let (_, gain) = listed.split_once(": gain ").expect("a gain");
    assert!(format!("gain {gain}").starts_with(kind), "`{kind}` is not the first in {text}");
    assert_eq!(summary.regions.len(), 1, "{text}");
}

#[test]
fn predictions_and_bounds_are_shown_as_such() {
    shown(Program::Clangxx, "costly_first.cpp");
    shown(Program::Clang, "costly_last.c");
    shown(Program::Gfortran, "large_chunks.f90");
    shown(Program::Gcc, "tiny_chunks.c");
}

/// The first advice predicts what the repair of the plant in `file` wins, within the error that it
/// states. What is measured is of the fastest of several runs; where the recorded one was slower,
/// it had more to win by as much.
fn check(compiler: Program, file: &str) {
    let plant = Plant::new(compiler, file);
    let attempt = || {
        let (advice, text, recorded) = plant.first_advice();
        let Some(error) = advice.error_ns else {
            return Err(format!("only a bound: {advice:?}"));
        };
        let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("gain about ") && shown.contains(" ± "), "{text}");
        let (measured, planted) = plant.measure();
        let measured = measured * (recorded / planted).max(1.0);
        let (predicted, error) = (advice.gain_ns as f64, error as f64);
        let times = [measured.max(0.0), predicted, error].map(|ns| time(ns as u64));
        println!(
            "| {file} | {} | first advice | {} | {} ± {} | {:+.1} % of the run |",
            compiler.text(),
            times[0],
            times[1],
            times[2],
            (predicted - measured) / planted.max(recorded) * 100.0
        );
        if (predicted - measured).abs() <= error && measured > 0.0 {
            return Ok(());
        }
        let [measured, predicted, error] = times;
        Err(format!("{file}: {}: {predicted} ± {error}, measured {measured}", advice.text))
    };
    most_hold(|| attempt().into()).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn costly_iterations_first() {
    check(Program::Clangxx, "costly_first.cpp");
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn costly_iterations_last() {
    check(Program::Clang, "costly_last.c");
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn costly_iterations_in_large_chunks() {
    check(Program::Gfortran, "large_chunks.f90");
}

/// Threads without a task do not count as a cost of handling tasks.
#[test]
fn no_cut_off_is_advised_where_a_chain_begins_late() {
    let plant = Plant::new(Program::Gcc, "late_chain.c");
    let (analysis, text) = plant.record();
    assert_eq!(Advice::new(&analysis, None).cut_offs, [], "{text}");
}

/// What handing out such chunks takes without the collector, a recording does not tell: its error
/// is as large as it.
#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn the_gain_of_chunks_of_one_short_iteration_is_an_estimate() {
    check(Program::Gcc, "tiny_chunks.c");
}
