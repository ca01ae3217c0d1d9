//! Time slices of a run: what tests/profiler/slices.c does at each time is known, and the document
//! of each window of its recording says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{Prerequisite, Program};
use serde_json::Value;
use tempfile::TempDir;

/// Variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 5] =
    ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES", "OMP_NUM_THREADS"];
/// How long the program does each of its three things, ms.
const LENGTH: &str = "2000";

fn oxomp() -> String {
    std::env::var("OXOMP_BIN").expect("OXOMP_BIN names the command to test: run `cargo xtask test`")
}

/// A folder with the compiled program.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(compiler: Program) -> Self {
        let place = Self { folder: TempDir::new().expect("a temporary folder") };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler/slices.c");
        let mut command = compiler.command();
        command.args(["-g", "-O2", "-fopenmp", "-o", "app"]).arg(source);
        let output = command.current_dir(place.folder.path()).output().expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a command that ends, whatever happens.
    fn output(&self, words: &[&str]) -> Output {
        let mut command = Program::Timeout.command();
        command.args(["-k", "1", "100"]).args(words).current_dir(self.folder.path());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.output().expect("timeout")
    }

    /// Records a run of the program, and returns what is printed, with the times at which the
    /// program ended each of its things.
    fn record(&self, options: &[&str], arguments: &[&str]) -> (Output, Vec<f64>) {
        let oxomp = oxomp();
        let words = [&[oxomp.as_str(), "profile", "-o", "data"], options, &["--", "./app", LENGTH]];
        let output = self.output(&[&words.concat(), arguments].concat());
        let said = String::from_utf8_lossy(&output.stdout);
        let times = said.lines().map(|line| line.parse().expect("seconds")).collect();
        (output, times)
    }

    fn report(&self, options: &[&str]) -> Output {
        self.output(&[&[oxomp().as_str(), "report", "data"], options].concat())
    }

    /// The document of the run, or of one window.
    fn document(&self, window: Option<(f64, f64)>) -> Value {
        let window = window.map(|(from, to)| format!("{from},{to}"));
        let options: Vec<&str> = ["--json=-"]
            .into_iter()
            .chain(window.iter().flat_map(|it| ["--window", it.as_str()]))
            .collect();
        let output = self.report(&options);
        assert!(output.status.success(), "{output:#?}");
        serde_json::from_slice(&output.stdout).expect("a document")
    }
}

fn compilers() -> impl Iterator<Item = Program> {
    [Program::Gcc, Program::Clang].into_iter().filter(|one| has_all(&[Prerequisite::Program(*one)]))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The functions with regions, and how often these were executed.
fn regions(document: &Value) -> Vec<(String, u64)> {
    let rows = document["regions"].as_array().expect("a list").iter();
    let region = |row: &Value| {
        let name = row["place"]["function"].as_str().unwrap_or_default().to_owned();
        (name, row["calls"].as_u64().expect("a number"))
    };
    rows.map(region).collect()
}

fn is_of(name: &str, function: &str) -> bool {
    name.starts_with(function)
}

/// The useful time of the second thread as a part of that of the first, which a busy machine
/// changes least.
fn beside_the_first(document: &Value) -> f64 {
    let useful = |thread: usize| number(&document["threads"][thread]["classes"]["useful_ns"]);
    useful(1) / useful(0)
}

/// A program that ended, and one that crashed.
#[test]
fn a_window_has_what_the_threads_did_in_it() {
    let compilers: Vec<Program> = compilers().collect();
    let Some(last) = compilers.last() else { return };
    for (compiler, arguments) in [(compilers[0], &[][..]), (*last, &["crash"][..])] {
        let place = Place::new(compiler);
        let (run, ends) = place.record(&["--slices=100ms"], arguments);
        assert_eq!(run.status.success(), arguments.is_empty(), "{run:#?}");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(said.contains("Over time") && !said.contains("without time slices"), "{said}");
        let [even_end, uneven_end, alone_end] = ends[..] else { panic!("{run:#?}") };

        // The slices are the whole run.
        let whole = place.document(None);
        assert_eq!(whole["run"]["window"], Value::Null);
        let slices = whole["slices"].as_array().expect("a list");
        assert!((10..=80).contains(&slices.len()), "{}", slices.len());
        let follow = slices.windows(2).all(|two| two[0]["to_ns"] == two[1]["from_ns"]);
        assert!(follow, "{slices:#?}");
        for class in ["useful_ns", "imbalance_ns", "serial_ns"] {
            let sum: f64 = slices.iter().map(|one| number(&one["classes"][class])).sum();
            let all = number(&whole["budget"]["classes"][class]);
            let total = number(&whole["budget"]["total_ns"]);
            assert!((sum - all).abs() < 0.02 * total, "{class}: {sum} of {all}");
        }
        let all = place.document(Some((0.0, 1e3)));
        let by_name = |document: &Value| {
            let mut rows = regions(document);
            rows.sort();
            rows
        };
        assert_eq!(by_name(&all), by_name(&whole), "no region is lost, none counts twice");

        // The process began a little before the program's own clock.
        let even = place.document(Some((0.5, even_end - 0.5)));
        let rows = regions(&even);
        assert!(!rows.is_empty(), "{even:#?}");
        assert!(rows.iter().all(|(name, _)| is_of(name, "even")), "{rows:?}");
        assert!(beside_the_first(&even) > 0.5, "{:#?}", even["threads"]);
        let wall = number(&even["run"]["wall_ns"]) / 1e9;
        assert!((wall - (even_end - 1.0)).abs() < 0.5, "{wall} of {even_end}");
        let window = &even["run"]["window"];
        let length = (number(&window["to_ns"]) - number(&window["from_ns"])) / 1e9;
        assert!((wall - length).abs() < 0.01, "{wall} of {length}");

        let uneven = place.document(Some((even_end + 0.5, uneven_end - 0.5)));
        let rows = regions(&uneven);
        assert!(rows.iter().all(|(name, _)| is_of(name, "uneven")), "{rows:?}");
        assert!(beside_the_first(&uneven) < 0.1, "{:#?}", uneven["threads"]);

        // In the middle of a region, which counts where it ends, threads work.
        let alone = place.document(Some((uneven_end + 0.6, alone_end - 0.6)));
        assert_eq!(regions(&alone), []);
        assert!(beside_the_first(&alone) > 0.5, "{:#?}", alone["threads"]);
        let classes = &alone["budget"]["classes"];
        assert_eq!(number(&classes["imbalance_ns"]), 0.0, "{classes:#?}");

        let text = place.report(&["--window", &format!("0.5,{}", even_end - 0.5)]);
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        let is_named = |line: &str| line.starts_with("from ") && line.contains(" · under way ");
        assert!(text.lines().any(is_named), "{text}");
        let page = place.report(&["--html", "--csv", "--window", "0.5,1"]);
        assert!(page.status.success() && place.path("data/report.0.5-1s.html").is_file());
        assert!(place.path("data/csv.0.5-1s/regions.csv").is_file());
        let csv = std::fs::read_to_string(place.path("data/csv.0.5-1s/slices.csv"));
        assert_eq!(csv.expect("a table").lines().count(), 1, "a part has no slices");
        let page = place.report(&["--html=whole.html"]);
        assert!(page.status.success(), "{page:#?}");
        let page = std::fs::read_to_string(place.path("whole.html")).expect("a page");
        assert!(page.contains("id=\"slices\""));
    }
}

#[test]
fn what_has_no_slices_is_refused_with_the_way_to_get_them() {
    let Some(compiler) = compilers().next() else { return };
    let place = Place::new(compiler);
    let oxomp = oxomp();
    let run = place.output(&[&oxomp, "profile", "-o", "data", "--", "./app", "20"]);
    assert!(run.status.success(), "{run:#?}");
    let refused = place.report(&["--window", "0,1"]);
    assert_eq!(refused.status.code(), Some(125));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("oxomp profile --slices"), "{said}");
    let timeline = place.report(&["--chrome=t.json", "--collapsed", "--window", "0,1"]);
    assert!(timeline.status.success(), "timelines need none: {timeline:#?}");

    for (options, message) in [
        (&["--slices=50ms"][..], "less than 100ms"),
        (&["--slices=x"], "--slices"),
        (&["--slices", "--last", "5s"], "--last"),
    ] {
        let run = place.output(&[&[oxomp.as_str(), "profile"], options, &["./app"]].concat());
        assert_eq!(run.status.code(), Some(125), "{options:?}");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(said.contains(message), "{said}");
    }

    let run = place.output(&[&oxomp, "profile", "--slices", "-o", "short", "--", "./app", "20"]);
    assert!(run.status.success(), "{run:#?}");
    let late = place.output(&[&oxomp, "report", "short", "--window", "50,60"]);
    assert_eq!(late.status.code(), Some(125));
    let said = String::from_utf8_lossy(&late.stderr);
    assert!(said.contains("nothing was recorded in that window"), "{said}");
}

#[test]
fn a_process_that_runs_already_has_slices_from_the_attach_on() {
    let Some(compiler) = compilers().next() else { return };
    let place = Place::new(compiler);
    let oxomp = oxomp();
    let library = std::env::var("OXOMP_LIB").expect("OXOMP_LIB names the folder of the runtime");
    let mut program = Command::new(place.path("app"));
    program.arg("4000").env("LD_LIBRARY_PATH", library).stdout(Stdio::null());
    let mut program = program.spawn().expect("the program");
    let pid = program.id().to_string();
    let options = ["--slices=200ms", "--duration", "1.5", "-o", "data"];
    let words = [&[oxomp.as_str(), "profile", "--pid", &pid], &options[..]].concat();
    let attached = place.output(&words);
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    assert!(attached.status.success(), "{attached:#?}");
    let whole = place.document(None);
    let slices = whole["slices"].as_array().expect("a list");
    assert!((4..=12).contains(&slices.len()), "{slices:#?}");
    let useful: f64 = slices.iter().map(|one| number(&one["classes"]["useful_ns"])).sum();
    let all = number(&whole["budget"]["classes"]["useful_ns"]);
    assert!((useful - all).abs() < 0.05 * all, "{useful} of {all}");
}
