//! `oxomp advise`, checked by doing what it says: programs of known shapes are recorded as they
//! are, changed as advised, and measured. Each test prints a row of the table that
//! `cargo xtask advise-check` shows.
//!
//! The iterations work for a set time of their thread's own clock. A run that other processes
//! disturb is tried again.

mod measured;

use std::path::PathBuf;
use std::process::{Command, Output};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::units::time;
use oxomp_analysis::summary::Class;
use oxomp_prerequisites::Program;
use oxomp_replay::{Advice, Predicted, json};

use measured::{ATTEMPTS, Bench};

/// Runs of which the fastest counts, since other processes only slow a run down.
const RUNS: u32 = 3;
/// Part of the threads' time that other processes may take from a recording that counts.
const DISTURBED: f64 = 0.02;
/// Part of the measured time by which a prediction may miss it.
const ALLOWED: f64 = 0.1;

struct Place {
    bench: Bench,
    program: PathBuf,
    threads: u32,
}

impl Place {
    /// A folder with tests/profiler/NAME.c, compiled.
    fn new(compiler: Program, name: &str) -> Self {
        let bench = Bench::new();
        let program = bench.compile(compiler, &format!("{name}.c"), name, &[]);
        Self { bench, program, threads: 2 }
    }

    /// Calls `act` with the settings of a run under `schedule`.
    fn with_settings<R>(&self, schedule: &str, act: impl FnOnce(&[(&str, &str)]) -> R) -> R {
        let threads = self.threads.to_string();
        act(&[
            ("OMP_SCHEDULE", schedule),
            ("OMP_NUM_THREADS", &threads),
            ("OMP_WAIT_POLICY", "active"),
        ])
    }

    /// Records a run; the reason if other processes disturbed it.
    fn record(&self, arguments: &[&str], schedule: &str) -> Result<Analysis, String> {
        let (analysis, _) = self.with_settings(schedule, |settings| {
            self.bench.record(&self.program, arguments, settings)
        });
        let budget = &analysis.summary.budget;
        let taken = budget.class_ns(Class::Scheduler) as f64 / budget.total_ns.max(1) as f64;
        if taken > DISTURBED {
            return Err(format!("other processes took {:.0} % of the recording", taken * 100.0));
        }
        Ok(analysis)
    }

    /// The advice on the last recording as text, on one line.
    fn advise(&self) -> String {
        let output = Command::new(measured::oxomp())
            .args(["advise", "data"])
            .current_dir(self.bench.folder())
            .output()
            .expect("the command starts");
        assert!(output.status.success(), "{output:#?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn run(&self, arguments: &[&str], schedule: &str) -> Output {
        self.with_settings(schedule, |settings| {
            self.bench.oxomp(&["run"], &self.program, arguments, settings)
        })
    }

    /// The time of the region as the program tells it: of the fastest run, ns.
    fn measure(&self, arguments: &[&str], schedule: &str) -> f64 {
        let runs = (0..RUNS).map(|_| {
            let output = self.run(arguments, schedule);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let fact = text.trim().strip_prefix("region ").and_then(|fact| fact.parse().ok());
            fact.unwrap_or_else(|| panic!("`region` in {text}"))
        });
        runs.fold(f64::INFINITY, f64::min)
    }
}

/// A row of the table, and whether the prediction holds.
fn row(name: &str, change: &str, now: f64, predicted: Predicted, measured: f64) -> bool {
    let off = (predicted.ns - measured) / measured;
    let [now, ns, error, measured] =
        [now, predicted.ns, predicted.error_ns, measured].map(|ns| time(ns as u64));
    println!("| {name} | {now} | {change} | {ns} ± {error} | {measured} | {:+.1} % |", off * 100.0);
    off.abs() <= ALLOWED
}

/// Records the shape under `schedule`, takes the first advice, and measures it.
fn shape(compiler: Program, name: &str, arguments: [&str; 4], schedule: &str) {
    let place = Place::new(compiler, "advise_shapes");
    let mut last = String::new();
    for _ in 0..ATTEMPTS {
        let analysis = match place.record(&arguments, schedule) {
            Ok(analysis) => analysis,
            Err(reason) => {
                last = reason;
                continue;
            }
        };
        let advice = Advice::new(&analysis, None);
        let one = &advice.regions[0].loops[0];
        let now = place.measure(&arguments, schedule);
        let mut good = true;
        for other in one.alternatives.iter().take(3) {
            let measured = place.measure(&arguments, &other.schedule.text());
            let change = format!("{schedule} → {}", other.schedule);
            let title = format!("{name} ({})", compiler.text());
            let error = (other.region.ns - measured).abs();
            // The first is what is advised.
            let is_close = row(&title, &change, now, other.region, measured);
            let is_other = *other != one.alternatives[0];
            let holds = is_close || is_other && error <= other.region.error_ns;
            if !holds {
                last = format!("{change}: {:?}, measured {measured}", other.region);
            }
            good &= holds;
        }
        let first = &one.alternatives[0];
        if good && first.gain_ns > 0.0 {
            let text = json(&analysis, &advice);
            let write = format!("\"write\":\"OMP_SCHEDULE={}\"", first.schedule);
            assert!(text.contains(&write), "`{write}` in {text}");
            // The text is silent on less than 1 % of the run.
            if first.gain_ns < 0.02 * analysis.summary.header.wall_ns as f64 {
                return;
            }
            let (text, write) = (place.advise(), format!("write OMP_SCHEDULE={}", first.schedule));
            assert!(text.contains(&write), "`{write}` in {text}");
            return;
        }
    }
    panic!("{name}: in {ATTEMPTS} attempts no prediction held: {last}");
}

#[test]
fn costly_iterations_first() {
    shape(Program::Clang, "costly first", ["first", "1000", "20000", "4"], "static");
}

#[test]
fn costly_iterations_last() {
    shape(Program::Gcc, "costly last", ["last", "1000", "20000", "4"], "dynamic,100");
}

#[test]
fn iterations_of_random_cost() {
    shape(Program::Gcc, "random", ["random", "600", "30000", "4"], "guided,200");
}

#[test]
fn a_triangular_loop() {
    shape(Program::Clang, "triangular", ["triangular", "800", "25000", "4"], "static");
}

#[test]
fn short_iterations() {
    shape(Program::Clang, "short, 1 µs", ["even", "20000", "1500", "3"], "dynamic,1");
}

/// What counting a chunk costs is a large part of such iterations: the stated error says so.
#[test]
fn tiny_iterations_within_the_error() {
    let place = Place::new(Program::Clang, "advise_shapes");
    let arguments = ["even", "400000", "60", "3"];
    let mut last = String::new();
    for _ in 0..ATTEMPTS {
        let analysis = match place.record(&arguments, "dynamic,1") {
            Ok(analysis) => analysis,
            Err(reason) => {
                last = reason;
                continue;
            }
        };
        let advice = Advice::new(&analysis, None);
        let first = &advice.regions[0].loops[0].alternatives[0];
        let now = place.measure(&arguments, "dynamic,1");
        let measured = place.measure(&arguments, &first.schedule.text());
        let change = format!("dynamic,1 → {}", first.schedule);
        row("tiny, 60 ns (clang)", &change, now, first.region, measured);
        if (first.region.ns - measured).abs() <= first.region.error_ns && measured < now {
            return;
        }
        last = format!("{change}: {:?}, measured {measured}", first.region);
    }
    panic!("in {ATTEMPTS} attempts no prediction held: {last}");
}

#[test]
fn few_iterations() {
    shape(Program::Gcc, "few", ["triangular", "6", "3000000", "4"], "dynamic,3");
}

#[test]
fn other_numbers_of_threads() {
    let mut place = Place::new(Program::Gcc, "advise_shapes");
    let arguments = ["triangular", "800", "25000", "4"];
    for (now, other) in [(2, 1), (1, 2)] {
        let mut last = String::new();
        let holds = (0..ATTEMPTS).any(|_| {
            place.threads = now;
            let analysis = match place.record(&arguments, "dynamic,4") {
                Ok(analysis) => analysis,
                Err(reason) => {
                    last = reason;
                    return false;
                }
            };
            let before = place.measure(&arguments, "dynamic,4");
            place.threads = other;
            let measured = place.measure(&arguments, "dynamic,4");
            let advice = Advice::new(&analysis, None);
            let team = advice.teams.iter().find(|team| team.threads == other);
            let whole = team.expect("a prediction for 1 and 2 threads").now;
            let summary = &analysis.summary;
            let outside = summary.header.wall_ns - summary.regions[0].wall_ns;
            let region = Predicted { ns: whole.ns - outside as f64, ..whole };
            let change = format!("OMP_NUM_THREADS={now} → {other}");
            last = format!("{change}: {region:?}, measured {measured}");
            row("triangular, dynamic,4 (gcc)", &change, before, region, measured)
        });
        assert!(holds, "in {ATTEMPTS} attempts no prediction held: {last}");
    }
}

#[test]
fn costs_that_depend_on_the_thread_are_told() {
    let place = Place::new(Program::Clang, "advise_shapes");
    let record = |shape| {
        let tries =
            (0..ATTEMPTS).map(|_| place.record(&[shape, "1000", "10000", "8"], "dynamic,8"));
        let mut good = tries.filter_map(Result::ok);
        let analysis = good.next().expect("a recording that other processes do not disturb");
        let output = place.advise();
        (Advice::new(&analysis, None).regions[0].loops[0].disagreement, output)
    };
    let (even, _) = record("even");
    assert_eq!(even, None);
    let (far, text) = record("thread");
    let (_, _, factor) = far.expect("the threads disagree");
    assert!((2.5..3.5).contains(&factor), "three times as costly: {factor}");
    assert!(text.contains("The same iterations cost one thread"), "{text}");
}

#[test]
fn tasks_with_a_cut_off() {
    let place = Place::new(Program::Clang, "advise_tasks");
    let mut last = String::new();
    for _ in 0..ATTEMPTS {
        let analysis = match place.record(&["16", "16"], "static") {
            Ok(analysis) => analysis,
            Err(reason) => {
                last = reason;
                continue;
            }
        };
        let advice = Advice::new(&analysis, None);
        let Some(first) = advice.cut_offs.first() else {
            last = "no cut-off is advised".to_owned();
            continue;
        };
        let now = place.measure(&["16", "16"], "static");
        let measured = place.measure(&["16", "8"], "static");
        if row("tasks of one node (clang)", "cut-off", now, first.region_time, measured)
            || (first.region_time.ns - measured).abs() <= first.region_time.error_ns
        {
            return;
        }
        last = format!("{:?}, measured {measured}", first.region_time);
    }
    panic!("in {ATTEMPTS} attempts no prediction held: {last}");
}
