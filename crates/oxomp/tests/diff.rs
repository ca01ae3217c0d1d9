//! Programs with a planted fault, recorded before and after its repair by the command, the runtime
//! and the collector as `cargo xtask dist` puts them: the comparison knows the plant's construct in
//! both, and, where `cargo xtask accuracy` runs the tests that are ignored, names the plant first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxomp_prerequisites::Program;
use oxomp_testing::attempts::{Attempt, most_hold};
use tempfile::TempDir;

/// The variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 6] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "OMP_TOOL",
    "OMP_TOOL_LIBRARIES",
    "OXOMP_HOME",
    "OXOMP_MULTIPLEX_TOOLS",
];

/// The tests of this file would disturb each other's programs.
static ALONE: Mutex<()> = Mutex::new(());

/// A folder with a program, in which the command is called.
struct Place {
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Place {
    fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        Self { folder: TempDir::new().expect("a temporary folder"), _alone: alone }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles tests/profiler/SOURCE.c of the workspace to `program`, in place of the one before.
    fn compile(&self, compiler: Program, source: &str, options: &[&str]) {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler");
        let output = compiler
            .command()
            .args(["-O2", "-g", "-fopenmp", "-Wl,--build-id", "-Wall", "-Wextra", "-Werror"])
            .args(options)
            .arg("-o")
            .arg(self.path("program"))
            .arg(sources.join(source).with_extension("c"))
            .output()
            .expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
    }

    fn oxomp(&self, words: &[&str]) -> Output {
        let program = std::env::var_os("OXOMP_BIN")
            .expect("OXOMP_BIN names the command to test: run `cargo xtask test`");
        // Before other processes, if we are allowed to.
        let mut command = Program::Nice.command();
        command.args(["-n", "-20"]).arg(program).args(words).current_dir(self.folder.path());
        for name in VARIABLES {
            command.env_remove(name);
        }
        command.env("OMP_WAIT_POLICY", "active").output().expect("the command")
    }

    /// Five runs of the program.
    fn record(&self, name: &str) {
        self.record_runs(name, "5");
    }

    /// Records as many runs of the program as `runs` says.
    fn record_runs(&self, name: &str, runs: &str) {
        fs::remove_dir_all(self.path(name)).ok();
        let output = self.oxomp(&["profile", "--repeat", runs, "-o", name, "--", "./program"]);
        assert_eq!(output.status.code(), Some(0), "{output:#?}");
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first sentence, without line breaks: the verdict and the largest change.
fn sentence(text: &str) -> String {
    let begin = ["\nFaster", "\nSlower", "\nNo change of the wall time"];
    let begin = begin.iter().find_map(|begin| text.find(begin)).unwrap_or_default() + 1;
    let end = text[begin..].find("\n\n").map_or(text.len(), |end| begin + end);
    text[begin..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// However long the runs take: the plant's construct is found in both, and the verdict on the
/// reverse is the reverse, in words and in the status.
fn reversed(compiler: Program, plant: &Plant) {
    let place = Place::new();
    place.compile(compiler, plant.source, &[]);
    place.record("before");
    place.compile(compiler, plant.source, &["-DREPAIRED"]);
    place.record("after");
    let [there, back] =
        [["before", "after"], ["after", "before"]].map(|[a, b]| place.oxomp(&["diff", a, b]));
    let [said, reverse] = [&there, &back].map(|output| sentence(&stdout(output)));
    let same = "No change of the wall time";
    let verdicts = [("Faster", 0, "Slower", 1), ("Slower", 1, "Faster", 0), (same, 0, same, 0)];
    let verdict = verdicts.into_iter().find(|verdict| said.starts_with(verdict.0));
    let (_, status, opposite, other_status) =
        verdict.unwrap_or_else(|| panic!("no verdict: {there:#?}"));
    assert!(reverse.starts_with(opposite), "{said}\n{reverse}");
    let statuses = (there.status.code(), back.status.code());
    assert_eq!(statuses, (Some(status), Some(other_status)), "{there:#?}\n{back:#?}");
    let document = stdout(&place.oxomp(&["diff", "--json", "before", "after"]));
    let source = format!("{}.c", plant.source);
    for part in [plant.function, &source] {
        assert!(document.contains(part), "`{part}` in {document}");
    }
}

#[test]
fn the_reverse_of_a_comparison_is_its_reverse_for_an_imbalance_gcc() {
    reversed(Program::Gcc, &IMBALANCE);
}

#[test]
fn the_reverse_of_a_comparison_is_its_reverse_for_an_imbalance_clang() {
    reversed(Program::Clang, &IMBALANCE);
}

#[test]
fn the_reverse_of_a_comparison_is_its_reverse_for_a_critical_gcc() {
    reversed(Program::Gcc, &CRITICAL);
}

#[test]
fn the_reverse_of_a_comparison_is_its_reverse_for_a_critical_clang() {
    reversed(Program::Clang, &CRITICAL);
}

#[test]
fn the_reverse_of_a_comparison_is_its_reverse_for_chunks_gcc() {
    reversed(Program::Gcc, &CHUNK);
}

#[test]
fn the_reverse_of_a_comparison_is_its_reverse_for_chunks_clang() {
    reversed(Program::Clang, &CHUNK);
}

/// A loss in the unrepaired program.
struct Plant {
    source: &'static str,
    part: &'static str,
    construct: &'static str,
    function: &'static str,
    /// The line about the plant that takes the place of the first sentence where a recording knows
    /// only a part of the loss: of each chunk at most 200 ns count as handing it out, and where two
    /// threads contend for chunks the rest, which reads as useful work, may be more.
    otherwise: Option<&'static str>,
}

const IMBALANCE: Plant = Plant {
    source: "repair_imbalance",
    part: "load imbalance",
    construct: "region",
    function: "uneven",
    otherwise: None,
};
const CRITICAL: Plant = Plant {
    source: "repair_critical",
    part: "locks & criticals",
    construct: "critical",
    function: "add",
    otherwise: None,
};
const CHUNK: Plant = Plant {
    source: "repair_chunk",
    part: "handing out chunks",
    construct: "region",
    function: "main",
    otherwise: Some("for dynamic in chunks of 1 -> for dynamic in chunks of 10 000"),
};

impl Plant {
    /// Whether the comparison says that the program became faster, and of all parts of its time
    /// names the plant first.
    fn is_first_in(&self, text: &str) -> bool {
        let Self { source, part, construct, function, .. } = self;
        let expected = format!("most of all {part} of the {construct} in {function} ({source}.c:");
        let said = sentence(text);
        let otherwise = self.otherwise.is_some_and(|line| text.contains(line) && self.is_in(text));
        said.starts_with("Faster") && (said.contains(&expected) || otherwise)
    }

    /// Whether the plant is one of the parts that became shorter.
    fn is_in(&self, text: &str) -> bool {
        let section = text.split("\n\n").find(|section| section.starts_with("Where the wall time"));
        let is_plant = |line: &str| {
            line.contains(self.part) && line.contains(self.function) && line.contains("  -")
        };
        section.is_some_and(|section| section.lines().any(is_plant))
    }
}

/// A number of runs that support a difference though one of them takes far longer than the others,
/// as a new process may where the system gives it its memory late. Five do not: a statement with a
/// confidence of 99 % takes all of them.
const SEVERAL: &str = "11";

/// The comparison of a program with its repaired form names the plant first, and the reverse fails.
/// Where other programs had the processors, as the comparison says itself, their share may be the
/// largest difference: the attempt says nothing.
fn repaired(compiler: Program, plant: &Plant) {
    let place = Place::new();
    let attempt = || {
        place.compile(compiler, plant.source, &[]);
        place.record_runs("before", SEVERAL);
        place.compile(compiler, plant.source, &["-DREPAIRED"]);
        place.record_runs("after", SEVERAL);
        let output = place.oxomp(&["diff", "before", "after"]);
        let text = stdout(&output);
        if plant.is_first_in(&text) {
            assert_eq!(output.status.code(), Some(0), "{output:#?}");
            let reverse = place.oxomp(&["diff", "after", "before"]);
            assert_eq!(reverse.status.code(), Some(1), "{reverse:#?}");
            assert!(stdout(&reverse).contains("Regression: wall time"), "{reverse:#?}");
            return Attempt::Held;
        }
        let why = format!("`{}` is not first in:\n{text}", plant.part);
        let is_disturbed = text.contains("without a processor for") && plant.is_in(&text);
        if is_disturbed { Attempt::Disturbed(why) } else { Attempt::Missed(why) }
    };
    most_hold(attempt).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn an_imbalance_that_was_removed_is_named_gcc() {
    repaired(Program::Gcc, &IMBALANCE);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn an_imbalance_that_was_removed_is_named_clang() {
    repaired(Program::Clang, &IMBALANCE);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn a_critical_that_was_shortened_is_named_gcc() {
    repaired(Program::Gcc, &CRITICAL);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn a_critical_that_was_shortened_is_named_clang() {
    repaired(Program::Clang, &CRITICAL);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn chunks_that_became_larger_are_named_gcc() {
    repaired(Program::Gcc, &CHUNK);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn chunks_that_became_larger_are_named_clang() {
    repaired(Program::Clang, &CHUNK);
}

#[test]
#[ignore = "measures times: cargo xtask accuracy"]
fn a_program_does_not_differ_from_itself() {
    let place = Place::new();
    place.compile(Program::Gcc, "repair_imbalance", &["-DREPAIRED"]);
    let attempt = || {
        place.record("before");
        place.record("after");
        let output = place.oxomp(&["diff", "before", "after", "--fail-on", "any"]);
        let text = stdout(&output);
        let same = text.contains("No change of the wall time that counts")
            && text.contains("No change that counts in");
        if same && output.status.code() == Some(0) { Ok(()) } else { Err(text) }
    };
    most_hold(|| attempt().into()).unwrap_or_else(|why| panic!("{why}"));
}

/// The recording of the program before has its names, those of samples, too, although the file is
/// another build now.
#[test]
fn a_program_that_was_built_anew_keeps_its_names() {
    let place = Place::new();
    place.compile(Program::Gcc, "repair_critical", &[]);
    place.record("before");
    let first = stdout(&place.oxomp(&["report", "before/run-1"]));
    assert!(first.contains("repair_critical.c:"), "{first}");
    place.compile(Program::Gcc, "repair_critical", &["-DREPAIRED"]);
    assert_eq!(stdout(&place.oxomp(&["report", "before/run-1"])), first);
    for run in 1..=5 {
        fs::remove_file(place.path(&format!("before/run-{run}/run.names"))).expect("names");
    }
    let output = place.oxomp(&["report", "before/run-1"]);
    let text = stdout(&output);
    assert!(!text.contains("repair_critical.c:"), "the file of names is not needed:\n{text}");
}
