//! `oxomp advise` on programs of known shapes, recorded as they are: what it knows of their loops
//! and tasks, and what it tells.
//!
//! The tests below `accuracy` follow the advice: they change the programs as advised, and measure.
//! Each prints rows of the table of `cargo xtask accuracy`, which runs them. The iterations work
//! for a set time of their thread's own clock. A prediction holds if the measured time lies within
//! its stated error in most of several attempts; an attempt that other processes disturb does not
//! count.

mod measured;

use std::path::PathBuf;
use std::process::Command;

use oxomp_analysis::Analysis;
use oxomp_prerequisites::Program;
use oxomp_replay::{Advice, Alternative, json};

use measured::Bench;

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

    fn record(&self, arguments: &[&str], schedule: &str) -> Analysis {
        let record = |settings: &[(&str, &str)]| {
            self.bench.record(&[], &self.program, arguments, settings).0
        };
        self.with_settings(schedule, record)
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
}

/// The loop of the shape is known as it ran, and each alternative is another schedule for it.
fn known(compiler: Program, arguments: [&str; 4], schedule: &str) {
    let place = Place::new(compiler, "advise_shapes");
    let analysis = place.record(&arguments, schedule);
    let [count, rounds] = [arguments[1], arguments[3]].map(|it| it.parse::<u64>().expect("it is"));
    let iterations: u64 = analysis.summary.loops.iter().map(|one| one.iterations).sum();
    let is_known = !(schedule == "static" && compiler == Program::Gcc);
    assert!(!is_known || iterations == count * rounds, "{iterations} iterations");
    let advice = Advice::new(&analysis, None);
    let [region] = &advice.regions[..] else { panic!("{:?}", advice.regions) };
    let [one] = &region.loops[..] else { panic!("{:?}", region.loops) };
    assert!(!one.alternatives.is_empty());
    let at_worst = |other: &Alternative| other.region.ns + other.region.error_ns;
    // The first may be simpler than one that is as fast.
    assert!(one.alternatives[1..].is_sorted_by_key(at_worst), "{:?}", one.alternatives);
    let fastest = one.alternatives.iter().map(at_worst).fold(f64::INFINITY, f64::min);
    let first = &one.alternatives[0];
    assert!(at_worst(first) <= 1.03 * fastest, "{:?}", one.alternatives);
    for other in &one.alternatives {
        assert!(other.schedule.text() != schedule, "{other:?}");
    }
    let (text, write) = (json(&analysis, &advice), format!("OMP_SCHEDULE={}", first.schedule));
    assert!(text.contains(&format!("\"write\":\"{write}\"")), "`{write}` in {text}");
    // The text is silent on less than 1 % of the run.
    let wall = analysis.summary.header.wall_ns as f64;
    if first.gain_ns > 0.02 * wall {
        let text = place.advise();
        assert!(text.contains(&format!("write {write}")), "`{write}` in {text}");
    }
}

#[test]
fn costly_iterations_first() {
    known(Program::Clang, ["first", "1000", "20000", "4"], "static");
}

#[test]
fn costly_iterations_last() {
    known(Program::Gcc, ["last", "1000", "20000", "4"], "dynamic,100");
}

#[test]
fn iterations_of_random_cost() {
    known(Program::Gcc, ["random", "600", "30000", "4"], "guided,200");
}

#[test]
fn a_triangular_loop() {
    known(Program::Clang, ["triangular", "800", "25000", "4"], "static");
}

#[test]
fn short_iterations() {
    known(Program::Clang, ["even", "20000", "1500", "3"], "dynamic,1");
}

#[test]
fn few_iterations() {
    known(Program::Gcc, ["triangular", "6", "3000000", "4"], "dynamic,3");
}

#[test]
fn other_numbers_of_threads() {
    let place = Place::new(Program::Gcc, "advise_shapes");
    let analysis = place.record(&["triangular", "800", "25000", "4"], "dynamic,4");
    let advice = Advice::new(&analysis, None);
    let threads: Vec<u32> = advice.teams.iter().map(|team| team.threads).collect();
    assert!(threads.contains(&1) && threads.contains(&2), "{threads:?}");
    assert!(threads.is_sorted_by(|a, b| a < b), "{threads:?}");
    assert!(advice.teams.iter().all(|team| team.now.ns > 0.0), "{:?}", advice.teams);
    // Threads that take turns are not faster, nor is the region's time as sure. The rest of the
    // run, which other processes make long, is the same with any number.
    let cpus = analysis.summary.header.allowed_cpus;
    let of = |number| advice.teams.iter().find(|team| team.threads == number).expect("a team");
    let (fitting, crowded) = (of(cpus), of(2 * cpus));
    assert!(crowded.now.ns >= 0.99 * fitting.now.ns, "{:?}", advice.teams);
    let [region] = &analysis.summary.regions[..] else { panic!("{:?}", analysis.summary.regions) };
    let outside = (analysis.summary.header.wall_ns - region.wall_ns) as f64;
    assert!(crowded.now.ns > outside, "{outside} in {:?}", advice.teams);
    let error = 0.2 * (crowded.now.ns - outside);
    assert!(crowded.now.error_ns >= error, "{error} in {:?}", advice.teams);
    let text = place.advise();
    assert!(text.contains("more threads than processors: not advised"), "{text}");
}

#[test]
fn tasks_are_known_by_their_construct() {
    let place = Place::new(Program::Clang, "advise_tasks");
    let analysis = place.record(&["12", "12"], "static");
    let tasks: Vec<u64> = analysis.summary.tasks.iter().map(|one| one.count).collect();
    // Two constructs, each with one of the two children of every inner node.
    assert_eq!(tasks, [4095, 4095]);
    let advice = Advice::new(&analysis, None);
    let sites: Vec<_> = analysis.summary.tasks.iter().map(|one| one.site).collect();
    assert!(advice.cut_offs.iter().all(|one| sites.contains(&one.site)), "{:?}", advice.cut_offs);
}

/// What comes true where other processes leave the processors alone.
mod accuracy {
    use std::process::Output;

    use oxomp_analysis::report::units::time;
    use oxomp_analysis::summary::Class;
    use oxomp_replay::Predicted;
    use oxomp_testing::attempts::{Attempt, most_hold};

    use super::{Advice, Analysis, Place, Program, json};

    /// How many runs are made: the fastest counts, since other processes only slow a run down.
    const RUNS: u32 = 3;
    /// Part of the threads' time that other processes may take from a recording that counts.
    const DISTURBED: f64 = 0.02;

    impl Place {
        /// Records a run; the reason if other processes disturbed it.
        fn undisturbed(&self, arguments: &[&str], schedule: &str) -> Result<Analysis, Attempt> {
            let analysis = self.record(arguments, schedule);
            let budget = &analysis.summary.budget;
            let taken = budget.class_ns(Class::Scheduler) as f64 / budget.total_ns.max(1) as f64;
            if taken > DISTURBED {
                let part = taken * 100.0;
                let reason = format!("other processes took {part:.0} % of the recording");
                return Err(Attempt::Disturbed(reason));
            }
            Ok(analysis)
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

    /// Most attempts hold.
    fn check(mut attempt: impl FnMut() -> Result<(), Attempt>) {
        most_hold(|| attempt().err().unwrap_or(Attempt::Held))
            .unwrap_or_else(|why| panic!("{why}"));
    }

    /// Prints a row of the table; the measured time has to lie within the stated error.
    fn row(
        name: &str,
        change: &str,
        now: f64,
        predicted: Predicted,
        measured: f64,
    ) -> Result<(), Attempt> {
        let off = (predicted.ns - measured) / measured;
        let [now, ns, error, shown] =
            [now, predicted.ns, predicted.error_ns, measured].map(|ns| time(ns as u64));
        println!(
            "| {name} | {now} | {change} | {ns} ± {error} | {shown} | {:+.1} % |",
            off * 100.0
        );
        if (predicted.ns - measured).abs() <= predicted.error_ns {
            return Ok(());
        }
        Err(Attempt::Missed(format!("{name}, {change}: {ns} ± {error}, measured {shown}")))
    }

    /// Records the shape under `schedule`, takes the first advice, and measures it.
    fn shape(compiler: Program, name: &str, arguments: [&str; 4], schedule: &str) {
        let place = Place::new(compiler, "advise_shapes");
        check(|| {
            let analysis = place.undisturbed(&arguments, schedule)?;
            let advice = Advice::new(&analysis, None);
            let one = &advice.regions[0].loops[0];
            let now = place.measure(&arguments, schedule);
            let title = format!("{name} ({})", compiler.text());
            let rows = one.alternatives.iter().take(3).map(|other| {
                let measured = place.measure(&arguments, &other.schedule.text());
                let change = format!("{schedule} → {}", other.schedule);
                row(&title, &change, now, other.region, measured)
            });
            // All of them are in the table, also behind one that is wrong.
            rows.collect::<Vec<_>>().into_iter().collect::<Result<(), Attempt>>()?;
            let first = &one.alternatives[0];
            if first.gain_ns <= 0.0 {
                return Err(Attempt::Missed(format!("{name}: nothing is won: {first:?}")));
            }
            let text = json(&analysis, &advice);
            let write = format!("\"write\":\"OMP_SCHEDULE={}\"", first.schedule);
            assert!(text.contains(&write), "`{write}` in {text}");
            // The text is silent on less than 1 % of the run.
            if first.gain_ns >= 0.02 * analysis.summary.header.wall_ns as f64 {
                let (text, write) =
                    (place.advise(), format!("write OMP_SCHEDULE={}", first.schedule));
                assert!(text.contains(&write), "`{write}` in {text}");
            }
            Ok(())
        });
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn costly_iterations_first() {
        shape(Program::Clang, "costly first", ["first", "1000", "20000", "4"], "static");
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn costly_iterations_last() {
        shape(Program::Gcc, "costly last", ["last", "1000", "20000", "4"], "dynamic,100");
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn iterations_of_random_cost() {
        shape(Program::Gcc, "random", ["random", "600", "30000", "4"], "guided,200");
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn a_triangular_loop() {
        shape(Program::Clang, "triangular", ["triangular", "800", "25000", "4"], "static");
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn short_iterations() {
        shape(Program::Clang, "short, 1 µs", ["even", "20000", "1500", "3"], "dynamic,1");
    }

    /// What counting a chunk costs is a large part of such iterations: the stated error says so.
    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn tiny_iterations_within_the_error() {
        let place = Place::new(Program::Clang, "advise_shapes");
        let arguments = ["even", "400000", "60", "3"];
        check(|| {
            let analysis = place.undisturbed(&arguments, "dynamic,1")?;
            let advice = Advice::new(&analysis, None);
            let first = &advice.regions[0].loops[0].alternatives[0];
            let now = place.measure(&arguments, "dynamic,1");
            let measured = place.measure(&arguments, &first.schedule.text());
            let change = format!("dynamic,1 → {}", first.schedule);
            row("tiny, 60 ns (clang)", &change, now, first.region, measured)?;
            if measured < now {
                return Ok(());
            }
            Err(Attempt::Missed(format!("{change}: from {now} to {measured} ns")))
        });
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn few_iterations() {
        shape(Program::Gcc, "few", ["triangular", "6", "3000000", "4"], "dynamic,3");
    }

    /// The region's part of the prediction for the whole run with `threads` threads.
    fn with_threads(analysis: &Analysis, threads: u32) -> Predicted {
        let advice = Advice::new(analysis, None);
        let team = advice.teams.iter().find(|team| team.threads == threads);
        let whole = team.expect("a prediction for this number of threads").now;
        let summary = &analysis.summary;
        let outside = summary.header.wall_ns - summary.regions[0].wall_ns;
        Predicted { ns: whole.ns - outside as f64, ..whole }
    }

    /// A run with `now` threads predicts one with `other` ones.
    fn other_threads(place: &mut Place, now: u32, other: impl Fn(&Analysis) -> u32) {
        let arguments = ["triangular", "800", "25000", "4"];
        check(|| {
            place.threads = now;
            let analysis = place.undisturbed(&arguments, "dynamic,4")?;
            let before = place.measure(&arguments, "dynamic,4");
            place.threads = other(&analysis);
            let measured = place.measure(&arguments, "dynamic,4");
            let change = format!("OMP_NUM_THREADS={now} → {}", place.threads);
            let region = with_threads(&analysis, place.threads);
            row("triangular, dynamic,4 (gcc)", &change, before, region, measured)
        });
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn other_numbers_of_threads() {
        let mut place = Place::new(Program::Gcc, "advise_shapes");
        for (now, other) in [(2, 1), (1, 2)] {
            other_threads(&mut place, now, |_| other);
        }
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn more_threads_than_processors() {
        let mut place = Place::new(Program::Gcc, "advise_shapes");
        other_threads(&mut place, 2, |analysis| 2 * analysis.summary.header.allowed_cpus);
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn costs_that_depend_on_the_thread_are_told() {
        let place = Place::new(Program::Clang, "advise_shapes");
        let disagreement = |shape| -> Result<_, Attempt> {
            let analysis = place.undisturbed(&[shape, "1000", "10000", "8"], "dynamic,8")?;
            let advice = Advice::new(&analysis, None);
            Ok((advice.regions[0].loops[0].disagreement, place.advise()))
        };
        check(|| match disagreement("even")? {
            (None, _) => Ok(()),
            (some, _) => Err(Attempt::Missed(format!("even iterations: {some:?}"))),
        });
        check(|| {
            let (far, text) = disagreement("thread")?;
            assert!(
                far.is_none() || text.contains("The same iterations cost one thread"),
                "{text}"
            );
            match far {
                Some((_, _, factor)) if (2.5..3.5).contains(&factor) => Ok(()),
                other => Err(Attempt::Missed(format!("three times as costly: {other:?}"))),
            }
        });
    }

    #[test]
    #[ignore = "measures times: cargo xtask accuracy"]
    fn tasks_with_a_cut_off() {
        let place = Place::new(Program::Clang, "advise_tasks");
        check(|| {
            let analysis = place.undisturbed(&["16", "16"], "static")?;
            let advice = Advice::new(&analysis, None);
            let Some(first) = advice.cut_offs.first() else {
                return Err(Attempt::Missed("no cut-off is advised".to_owned()));
            };
            let now = place.measure(&["16", "16"], "static");
            let measured = place.measure(&["16", "8"], "static");
            row("tasks of one node (clang)", "cut-off", now, first.region_time, measured)
        });
    }
}
