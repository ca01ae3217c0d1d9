//! A program without OpenMP: the code that its threads compute in, and where they wait, as
//! tests/profiler/without_openmp.c knows it.

use std::path::Path;
use std::process::Output;

use oxomp_prerequisites::Program;
use serde_json::Value;
use tempfile::TempDir;

/// Variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 4] = ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES"];

/// A folder with the compiled program.
struct Place(TempDir);

impl Place {
    fn new(level: &str) -> Self {
        let place = Self(TempDir::new().expect("a temporary folder"));
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler/without_openmp.c");
        let mut compile = Program::Gcc.command();
        compile.args([level, "-g", "-pthread", "-Wall", "-Wextra", "-Werror", "-o", "app"]);
        let output = compile.arg(source).current_dir(place.0.path()).output().expect("gcc");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    /// Runs the command, which ends, whatever happens.
    fn oxomp(&self, words: &[&str]) -> Output {
        let oxomp = std::env::var("OXOMP_BIN");
        let oxomp = oxomp.expect("OXOMP_BIN names the command to test: run `cargo xtask test`");
        let mut command = Program::Timeout.command();
        command.args(["-k", "1", "100", &oxomp]).args(words).current_dir(self.0.path());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.output().expect("timeout")
    }

    /// The document of a run of the program.
    fn recorded(&self, what: &str) -> Value {
        let run = self.oxomp(&["profile", "-o", what, "--", "./app", what]);
        assert!(run.status.success(), "{run:#?}");
        assert_eq!(String::from_utf8_lossy(&run.stdout), "done\n");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(said.contains("did not use OpenMP: its threads were sampled"), "{said}");
        let report = self.oxomp(&["report", what, "--json=-"]);
        assert!(report.status.success(), "{report:#?}");
        serde_json::from_slice(&report.stdout).expect("a document")
    }
}

/// The processor time of the samples in a function, s.
fn sampled(document: &Value, function: &str) -> f64 {
    let sampled = &document["sampled"];
    let period = sampled["period_ns"].as_f64().expect("a number");
    let code = sampled["code"].as_array().expect("a list").iter();
    let own = code.filter(|row| row["function"] == function);
    own.map(|row| row["samples"].as_f64().expect("a number")).sum::<f64>() * period / 1e9
}

/// For how long threads were found in waits in a function whose path has another one, s.
fn blocked(document: &Value, function: &str, caller: &str) -> f64 {
    let rows = document["blocked"].as_array().expect("a list").iter();
    let own = rows.filter(|row| {
        let path = row["path"].as_array().expect("a list");
        let name = row["function"].as_str().expect("a name");
        name.contains(function) && path.iter().any(|one| one == caller)
    });
    own.map(|row| row["time_ns"].as_f64().expect("a number") / 1e9).sum()
}

#[test]
fn threads_show_where_they_compute_and_for_what_they_wait() {
    for level in ["-O0", "-O2"] {
        let document = Place::new(level).recorded("waits");
        // Three times half a second, of which a part is over before a thread is found.
        let computed = sampled(&document, "compute");
        assert!((0.75..1.6).contains(&computed), "{computed}");
        // 0.3 s each; the second and the third wait for the others: 0.3 and 0.6 s. A busy machine
        // makes all of it longer, and looks rarer.
        let (sleeps, waits) = (
            blocked(&document, "usleep", "in_turns"),
            blocked(&document, "mutex_lock", "in_turns"),
        );
        assert!(sleeps > 0.2 && waits > 0.2, "{sleeps} {waits}: {:#?}", document["blocked"]);
        assert!(blocked(&document, "join", "main") > 0.25, "{:#?}", document["blocked"]);
    }
}

#[test]
fn threads_that_cannot_be_sampled_are_left_alone() {
    for level in ["-O0", "-O2"] {
        let place = Place::new(level);
        // One by clone(2), which shares the variables of the main thread; one that blocks signals.
        for (what, seconds) in [("clone", 0.4), ("block", 0.5)] {
            let document = place.recorded(what);
            let computed = sampled(&document, "compute");
            assert!((0.5 * seconds..1.2 * seconds).contains(&computed), "{what}: {computed}");
            assert_eq!(sampled(&document, "stranger"), 0.0);
        }
    }
}

#[test]
fn threads_that_live_shortly_do_no_harm() {
    let document = Place::new("-O2").recorded("many");
    let computed = sampled(&document, "computing") + sampled(&document, "compute");
    assert!((0.3..1.0).contains(&computed), "{computed}");
}

#[test]
fn threads_that_sleep_do_not_keep_others_from_being_sampled() {
    let document = Place::new("-O2").recorded("sleepers");
    let computed = sampled(&document, "computing") + sampled(&document, "compute");
    assert!((0.2..0.5).contains(&computed), "{computed}");
}
