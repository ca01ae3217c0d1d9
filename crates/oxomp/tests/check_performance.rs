//! examples/ci/check-performance, which compares runs of a program with a stored baseline: its
//! results, its exit status, and what it says where there is nothing to compare.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::skip;
use tempfile::TempDir;

/// Two threads sleep for so many milliseconds, and the program ends with the status that it is
/// given.
const SLEEPER: &str = "#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int ms = atoi(argv[1]);
#pragma omp parallel num_threads(2)
    usleep(1000 * ms);
    return argc > 2 ? atoi(argv[2]) : 0;
}
";

/// A folder with the program `sleeper`, in which the script is called.
struct Place {
    folder: TempDir,
    command: PathBuf,
}

impl Place {
    /// `None`, after a message, if there is no command to record with.
    fn new() -> Option<Self> {
        let Some(command) = std::env::var_os("OXOMP_BIN").map(PathBuf::from) else {
            skip("OXOMP_BIN must name the oxomp command of a distribution");
            return None;
        };
        let folder = TempDir::new().expect("a temporary folder");
        let source = folder.path().join("sleeper.c");
        fs::write(&source, SLEEPER).expect("a source");
        let mut compiler = Program::Gcc.command();
        compiler.args(["-O2", "-g", "-fopenmp", "-o"]).arg(folder.path().join("sleeper"));
        assert!(compiler.arg(&source).status().expect("gcc").success());
        Some(Self { folder, command })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Calls the script with these arguments, and the words in `line` behind them.
    fn check(&self, line: &str) -> Output {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci/check-performance");
        let mut shell = Program::Bash.command();
        shell.arg(script).args(line.split_whitespace()).current_dir(self.folder.path());
        shell.env("OXOMP", &self.command).env("GITHUB_STEP_SUMMARY", self.path("summary.md"));
        shell.env_remove("OMP_NUM_THREADS").output().expect("bash")
    }

    /// The script fails before it compares, and says why.
    fn refuses(&self, line: &str, reason: &str) {
        let output = self.check(line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{line}: {output:#?}");
        assert!(said.contains(&format!("check-performance: {reason}")), "{line}: {said}");
        assert!(!self.path("summary.md").exists(), "{line}");
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_slower_program_is_a_regression() {
    let Some(place) = Place::new() else { return };
    let stored = place.check("--update ./sleeper 100");
    assert_eq!(stored.status.code(), Some(0), "{stored:#?}");
    assert_eq!(
        stdout(&stored),
        "check-performance: stored 5 runs as the baseline oxomp-baseline\n"
    );
    assert!(place.path("oxomp-baseline/run-5/run.oxp").is_file());
    assert!(!place.path("oxomp-current").exists());

    // However busy the machine is, no run takes so much longer than the baseline's.
    let same = place.check("--threshold 1000% -- ./sleeper 100");
    assert_eq!(same.status.code(), Some(0), "{same:#?}");
    assert!(stdout(&same).ends_with("check-performance: No regression\n"), "{same:#?}");

    let slower = place.check("--threshold 5% ./sleeper 2000");
    assert_eq!(slower.status.code(), Some(1), "{slower:#?}");
    let text = fs::read_to_string(place.path("oxomp-current/comparison.txt")).expect("a result");
    assert!(text.contains("Regression: wall time"), "{text}");
    assert_eq!(stdout(&slower), format!("{text}check-performance: Regression\n"));
    let json = fs::read_to_string(place.path("oxomp-current/comparison.json")).expect("a result");
    assert!(json.contains("oxomp-diff") && json.contains("regressions"), "{json}");
    let summary = fs::read_to_string(place.path("summary.md")).expect("a summary");
    for part in [
        "### No regression: `./sleeper 100`\n",
        "### Regression: `./sleeper 2000`\n\nFails on: wall, above 5%, 5 runs.\n\n````text\n",
        &format!("````text\n{text}````\n"),
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }

    let ignored = place.check("--fail-on none --runs 1 ./sleeper 200");
    assert_eq!(ignored.status.code(), Some(0), "{ignored:#?}");
}

#[test]
fn what_cannot_be_compared_has_its_own_status() {
    let Some(place) = Place::new() else { return };
    let no_baseline = "oxomp-baseline: there is no baseline; the same command with --update";
    place.refuses("./sleeper 1", no_baseline);
    fs::create_dir(place.path("oxomp-baseline")).expect("a folder");
    place.refuses("./sleeper 1", no_baseline);
    place.refuses("", "there is no program to run");
    place.refuses("--run 5 ./sleeper 1", "--run: there is no such option");
    place.refuses("--baseline", "--baseline needs a value");
    place.refuses("--runs 0 ./sleeper 1", "--runs 0: give a number");
    place.refuses("--baseline a --output a/ ./sleeper 1", "a: the baseline and the output need");

    let stored = place.check("--update --runs 1 ./sleeper 1");
    assert_eq!(stored.status.code(), Some(0), "{stored:#?}");
    let recording = place.path("oxomp-baseline/run-1/run.oxp");
    let kept = fs::read(&recording).expect("a recording");
    place.refuses("./sleeper 1 3", "a run of ./sleeper ended with status 3: nothing is compared");
    place.refuses("--update ./sleeper 1 3", "a run of ./sleeper ended with status 3");
    place.refuses("./missing", "a run of ./missing ended with status 127");
    place.refuses("--threshold x ./sleeper 1", "oxomp-baseline: oxomp cannot compare");
    place.refuses("--fail-on x ./sleeper 1", "oxomp-baseline: oxomp cannot compare");
    assert_eq!(fs::read(&recording).expect("a recording"), kept);

    fs::write(place.path("oxomp-baseline/notes"), "of others").expect("a file");
    place.refuses("--update ./sleeper 1", "oxomp-baseline: not replaced, since notes in it");
    place.refuses("--output . ./sleeper 1", ".: not replaced, since ");
    place.refuses("--output sleeper ./sleeper 1", "sleeper: not replaced, since it is no folder");
    fs::write(&recording, "damaged").expect("a file");
    place.refuses("./sleeper 1", "oxomp-baseline: oxomp cannot compare with this baseline");
}
