//! Phases of programs: what each program of tests/profiler/phases.c does is known, and the document
//! of its recording says so, of the whole run and of each phase.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{Prerequisite, Program};
use serde_json::Value;
use tempfile::TempDir;

/// Variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 5] =
    ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES", "OMP_NUM_THREADS"];

fn oxomp() -> String {
    std::env::var("OXOMP_BIN").expect("OXOMP_BIN names the command to test: run `cargo xtask test`")
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with a compiled program.
struct Place {
    folder: TempDir,
}

impl Place {
    /// Compiles sources with the compiler and the options.
    fn new(compiler: Program, sources: &[&str], options: &[&str]) -> Self {
        let place = Self { folder: TempDir::new().expect("a temporary folder") };
        let mut command = compiler.command();
        command.args(["-g", "-O2", "-fopenmp", "-o"]).arg(place.folder.path().join("app"));
        command.arg(format!("-I{}", repository().join("include").display()));
        command.args(sources.iter().map(|source| repository().join(source))).args(options);
        let output = command.current_dir(place.folder.path()).output().expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    /// A command that ends, whatever happens.
    fn command(&self, words: &[&str]) -> Output {
        let mut command = Program::Timeout.command();
        command.args(["-k", "1", "100"]).args(words).current_dir(self.folder.path());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.output().expect("timeout")
    }

    /// Records a run of the program.
    fn record(&self, kind: &str) -> Output {
        // One from before.
        let _ = std::fs::remove_dir_all(self.folder.path().join("data"));
        self.command(&[&oxomp(), "profile", "-o", "data", "--", "./app", kind])
    }

    fn report(&self, options: &[&str]) -> Output {
        self.command(&[&[oxomp().as_str(), "report", "data"], options].concat())
    }

    /// The document of the run, or of one phase.
    fn document(&self, phase: Option<&str>) -> Value {
        let options: Vec<&str> = ["--json=-"]
            .into_iter()
            .chain(phase.into_iter().flat_map(|it| ["--phase", it]))
            .collect();
        let output = self.report(&options);
        assert!(output.status.success(), "{output:#?}");
        serde_json::from_slice(&output.stdout).expect("a document")
    }
}

/// The rows of the phases, by path.
fn phases(document: &Value) -> BTreeMap<String, Value> {
    let rows = document["phases"].as_array().expect("a list");
    rows.iter().map(|row| (row["path"].as_str().expect("a path").to_owned(), row.clone())).collect()
}

/// How often each region was executed, by the line that its name ends with.
fn regions(document: &Value) -> Vec<u64> {
    let rows = document["regions"].as_array().expect("a list");
    rows.iter().map(|row| row["calls"].as_u64().expect("a number")).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn ms(value: &Value) -> f64 {
    number(value) / 1e6
}

fn compilers() -> impl Iterator<Item = Program> {
    [Program::Gcc, Program::Clang].into_iter().filter(|one| has_all(&[Prerequisite::Program(*one)]))
}

#[test]
fn each_phase_has_its_own_regions_waits_and_serial_time() {
    for compiler in compilers() {
        let place = Place::new(compiler, &["tests/profiler/phases.c"], &[]);
        let run = place.record("steps");
        assert!(run.status.success(), "{run:#?}");
        let whole = place.document(None);
        let rows = phases(&whole);
        let paths: Vec<&str> = rows.keys().map(String::as_str).collect();
        assert_eq!(paths, ["", "step", "step/assemble", "step/solve"]);
        for path in ["step", "step/assemble", "step/solve"] {
            assert_eq!(rows[path]["count"], 5, "{path}");
        }
        // Each instance of a phase contains what the program does in it at least once.
        assert!(ms(&rows["step/assemble"]["wall_ns"]) >= 15.0, "{rows:#?}");
        assert!(ms(&rows["step/assemble"]["longest_ns"]) >= 3.0, "{rows:#?}");
        assert!(ms(&rows["step"]["wall_ns"]) >= 15.0 + 20.0 + 120.0, "{rows:#?}");
        // The phases and what is outside of them are the whole.
        let wall = number(&rows[""]["wall_ns"]) + number(&rows["step"]["wall_ns"]);
        let all = number(&whole["run"]["wall_ns"]);
        assert!((wall - all).abs() < 0.05 * all, "{wall} of {all}");
        let of_class = |document: &Value, class: &str| number(&document["classes"][class]);
        for class in ["useful_ns", "imbalance_ns"] {
            let parts = of_class(&rows[""], class) + of_class(&rows["step"], class);
            let budget = of_class(&whole["budget"], class);
            // On a busy machine a wait may be laid on the scheduler here and on a thread there.
            assert!((parts - budget).abs() <= 0.25 * budget + 5e6, "{class}: {parts} of {budget}");
        }
        // Serial code between the inner phases, and waits for the slower thread in one of them.
        let serial = |path: &str| of_class(&rows[path], "serial_ns") / 1e6;
        assert!((19.0..80.0).contains(&(serial("step") - serial("step/solve"))), "{rows:#?}");
        let waits = |path: &str| of_class(&rows[path], "imbalance_ns") / 1e6;
        assert!(waits("step/solve") >= 20.0, "{rows:#?}");
        assert!(waits("step/solve") > waits("step/assemble"), "{rows:#?}");

        let calls = |phase: &str| regions(&place.document(Some(phase)));
        assert_eq!(calls("step/assemble"), [5]);
        assert_eq!(calls("step/solve"), [20]);
        let solve = place.document(Some("step/solve"));
        assert_eq!(solve["run"]["phase"], "step/solve");
        assert_eq!(solve["phases"].as_array().map(Vec::len), Some(0));
        let wall = number(&solve["run"]["wall_ns"]);
        assert!((wall - number(&rows["step/solve"]["wall_ns"])).abs() < 0.01 * wall + 1e5);
        assert!(ms(&solve["regions"][0]["wall_ns"]) >= 120.0, "{solve:#}");
        let samples = |document: &Value| document["sampled"]["taken"].as_u64().unwrap_or(0);
        let (inside, all) = (samples(&solve), samples(&whole));
        assert!(inside > 0 && inside < all, "{inside} of {all} samples");
        let mut all = calls("step");
        all.sort_unstable();
        assert_eq!(all, [5, 20]);
    }
}

#[test]
fn short_regions_are_counted_in_their_phase() {
    for compiler in compilers() {
        let place = Place::new(compiler, &["tests/profiler/phases.c"], &[]);
        let run = place.record("tiny");
        assert!(run.status.success(), "{run:#?}");
        let whole = place.document(None);
        assert_eq!(regions(&whole), [23_000]);
        assert_eq!(regions(&place.document(Some("three"))), [3000]);
        let rows = phases(&whole);
        assert_eq!(rows["three"]["count"], 1000);
        assert_eq!(whole["quality"]["disagreements"].as_array().map(Vec::len), Some(0));
    }
}

#[test]
fn what_the_program_says_wrong_disturbs_nothing() {
    for compiler in compilers() {
        let place = Place::new(compiler, &["tests/profiler/phases.c"], &[]);
        let run = place.record("names");
        assert!(run.status.success(), "{run:#?}");
        let rows = phases(&place.document(None));
        assert_eq!(rows.len(), 64 + 1, "as many as there is room for, and the time outside");
        assert!(rows["(other phases)"]["count"].as_u64() >= Some(100 - 63), "{rows:#?}");
        assert!(rows.contains_key("aaa") && !rows.contains_key("deeper"), "{rows:#?}");
        assert_eq!(rows["kept"]["count"], 1, "{rows:#?}");
        assert!(rows["kept"]["longest_ns"].is_u64(), "it ended where it should: {rows:#?}");

        let run = place.record("threads");
        assert!(run.status.success(), "{run:#?}");
        let rows = phases(&place.document(None));
        let begins: u64 = rows.values().filter_map(|row| row["count"].as_u64()).sum();
        assert_eq!(begins, 4 * 200, "{rows:#?}");

        let unknown = place.report(&["--phase", "nothing"]);
        assert!(!unknown.status.success());
        let said = String::from_utf8_lossy(&unknown.stderr);
        assert!(said.contains("no phase is called `nothing`: there are "), "{said}");
        let timeline = place.report(&["--phase", "even", "--perfetto=-"]);
        assert!(!timeline.status.success(), "{timeline:#?}");
    }
}

#[test]
fn a_process_that_goes_away_leaves_its_phases() {
    for compiler in compilers() {
        let place = Place::new(compiler, &["tests/profiler/phases.c"], &[]);
        let run = place.record("killed");
        assert_eq!(run.status.code(), Some(3), "{run:#?}");
        let rows = phases(&place.document(None));
        assert!(ms(&rows["before"]["wall_ns"]) >= 10.0, "{rows:#?}");
        assert!(rows["death"]["longest_ns"].is_null(), "{rows:#?}");
        assert!(ms(&rows["death"]["wall_ns"]) >= 29.0, "{rows:#?}");
        assert_eq!(regions(&place.document(Some("death"))), [1]);
    }
}

#[test]
fn without_a_profiler_the_markers_do_nothing() {
    for compiler in compilers() {
        for options in [&[][..], &["-no-pie"], &["-O0"]] {
            let place = Place::new(compiler, &["tests/profiler/phases.c"], options);
            let run = place.command(&["./app", "steps"]);
            assert!(run.status.success() && run.stderr.is_empty(), "{run:#?}");
            let run = place.record("steps");
            assert!(run.status.success(), "{run:#?}");
            assert_eq!(phases(&place.document(None))["step"]["count"], 5, "{options:?}");
        }
    }
}

#[test]
fn fortran_has_the_same_markers() {
    if !has_all(&[Prerequisite::Program(Program::Gfortran)]) {
        return;
    }
    let sources = ["include/oxomp.f90", "tests/profiler/phases.f90"];
    let place = Place::new(Program::Gfortran, &sources, &[]);
    let run = place.record("");
    assert!(run.status.success(), "{run:#?}");
    let rows = phases(&place.document(None));
    assert_eq!(rows["outer"]["count"], 3, "{rows:#?}");
    assert_eq!(rows["outer/inner loop"]["count"], 6, "{rows:#?}");
    assert_eq!(regions(&place.document(Some("outer/inner loop"))), [6]);
}

#[test]
fn python_has_a_context_manager_and_a_decorator() {
    if !has_all(&[Program::Gcc, Program::Python].map(Prerequisite::Program)) {
        return;
    }
    let place = Place::new(Program::Gcc, &["tests/profiler/phases.c"], &["-shared", "-fPIC"]);
    let script = r#"
import ctypes, sys
import phases

@phases.region("twice")
def twice(library):
    library.even_for_python()
    library.even_for_python()

with phases.region("before the runtime is loaded"):
    pass
library = ctypes.CDLL("./app")
for _ in range(3):
    twice(library)
try:
    with phases.region("ends with an error"):
        library.even_for_python()
        raise ValueError
except ValueError:
    library.even_for_python()
"#;
    std::fs::write(place.folder.path().join("script.py"), script).expect("a file");
    let python = Program::Python.command();
    let python = python.get_program().to_str().expect("a path");
    let module = repository().join("packaging/python/oxomp");
    let path = format!("PYTHONPATH={}", module.display());
    let words = ["env", &path, &oxomp(), "profile", "-o", "data", "--", python, "script.py"];
    let run = place.command(&words);
    assert!(run.status.success(), "{run:#?}");
    let whole = place.document(None);
    assert_eq!(regions(&whole), [8]);
    let rows = phases(&whole);
    assert_eq!(rows["twice"]["count"], 3, "{rows:#?}");
    assert_eq!(regions(&place.document(Some("twice"))), [6]);
    assert_eq!(regions(&place.document(Some("ends with an error"))), [1]);
}
