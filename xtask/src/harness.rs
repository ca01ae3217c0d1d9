//! Running the test binaries without cargo-nextest: on all processors, but for tests that must have
//! the machine to themselves.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use oxomp_testing::process::with_default_signals;
use serde_json::Value;

use oxomp_build::command;

/// A test with this in its name runs alone on the machine, as `.config/nextest.toml` says.
const ALONE: &str = "stress";

/// The binaries of oxomp-testing whose tests often wait for another one that compiles the same
/// program, as `.config/nextest.toml` says: twice as many of them run at once.
const WAITING: [&str; 2] = ["offload", "programs"];

/// Whether there was a test to run: one whose name contains the filter, if there is a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// At least one ran.
    Some,
    /// None did.
    None,
}

impl Found {
    /// What is found in either of two sets of tests.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == Self::Some { self } else { other }
    }
}

/// An executable with tests that Cargo has built.
#[derive(Debug)]
struct Binary {
    executable: PathBuf,
    /// The package's folder, in which Cargo would run it.
    folder: PathBuf,
}

impl Binary {
    /// How many of its tests run at once, where others have `at_once`.
    fn at_once(&self, at_once: usize) -> usize {
        let name = self.executable.file_name().unwrap_or_default().to_string_lossy();
        let target = name.rsplit_once('-').map_or(&*name, |(target, _)| target);
        let waits = self.folder.ends_with("oxomp-testing") && WAITING.contains(&target);
        if waits { 2 * at_once } else { at_once }
    }

    /// A command that starts it in its folder, with the variables of `build`. In the background of
    /// a shell interrupts are ignored, for which tests wait.
    fn start(&self, build: &Command) -> Command {
        let mut command = Command::new(&self.executable);
        with_default_signals(command.current_dir(&self.folder));
        for (name, value) in build.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// The tests that run unless asked otherwise and whose names contain `filter`.
    fn tests(&self, build: &Command, filter: Option<&str>) -> Result<Vec<String>> {
        let list = |more: &[&str]| -> Result<Vec<String>> {
            let mut command = self.start(build);
            command.args(["--list", "--format", "terse"]).args(more).args(filter);
            Ok(names(&command::capture(&mut command)?))
        };
        let ignored = list(&["--ignored"])?;
        Ok(list(&[])?.into_iter().filter(|test| !ignored.contains(test)).collect())
    }
}

/// Builds with `build`, a `cargo test` command, and runs the tests whose names contain `filter`,
/// `at_once` of them at a time.
///
/// # Errors
///
/// If the build fails, or if a test fails (after the others have run).
pub fn run(build: &mut Command, filter: Option<&str>, at_once: usize) -> Result<Found> {
    let build = build.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let built = command::capture_messages(build)?;
    let (mut count, mut failed) = (0, Vec::new());
    for binary in binaries(&built) {
        let tests = match binary.tests(build, filter) {
            Ok(tests) => tests,
            Err(error) => {
                failed.push(format!("{error:#}"));
                continue;
            }
        };
        count += tests.len();
        for arguments in runs(&tests, filter, binary.at_once(at_once)) {
            let mut run = binary.start(build);
            if command::run(run.args(&arguments)).is_err() {
                failed.push(command::line(&run));
            }
        }
    }
    if !failed.is_empty() {
        bail!("of {count} tests, some failed in:\n{}", failed.join("\n"));
    }
    if count == 0 {
        return Ok(Found::None);
    }
    eprintln!("xtask: {count} tests passed");
    Ok(Found::Some)
}

/// The test binaries that Cargo's messages name.
fn binaries(messages: &str) -> Vec<Binary> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let tests = messages.filter(|message| message["profile"]["test"] == true);
    let mut binaries: Vec<Binary> = tests.filter_map(|message| binary(&message)).collect();
    // Cargo names them as they are built.
    binaries.sort_by(|a, b| (&a.folder, &a.executable).cmp(&(&b.folder, &b.executable)));
    binaries
}

fn binary(message: &Value) -> Option<Binary> {
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    Some(Binary { executable: message["executable"].as_str()?.into(), folder })
}

/// The names of tests in what a binary lists.
pub(crate) fn names(list: &str) -> Vec<String> {
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    names.map(str::to_owned).collect()
}

/// The arguments of each run of a binary whose tests these are: together what may run together,
/// `at_once` at a time, then one by one what must be alone.
fn runs(tests: &[String], filter: Option<&str>, at_once: usize) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let (alone, together): (Vec<&String>, Vec<&String>) =
        tests.iter().partition(|test| test.contains(ALONE));
    let mut runs = Vec::new();
    if !together.is_empty() {
        let mut run = words(&["--test-threads", &at_once.to_string(), "--skip", ALONE]);
        run.extend(filter.map(str::to_owned));
        runs.push(run);
    }
    runs.extend(alone.into_iter().map(|test| words(&["--exact", test])));
    runs
}

#[cfg(test)]
mod tests {
    use super::{ALONE, Binary, Found, WAITING, binaries, names, runs};

    #[test]
    fn a_test_in_either_set_is_found() {
        assert_eq!(Found::None.or(Found::None), Found::None);
        for (one, other) in
            [(Found::Some, Found::None), (Found::None, Found::Some), (Found::Some, Found::Some)]
        {
            assert_eq!(one.or(other), Found::Some);
        }
    }

    fn tests(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn what_loads_the_machine_runs_alone_and_the_rest_together() {
        let all = tests(&["loop/a.c::gcc", "stress/b.c::gcc", "c"]);
        let together = ["--test-threads", "4", "--skip", "stress"];
        let alone = ["--exact", "stress/b.c::gcc"];
        assert_eq!(runs(&all, None, 4), [&together[..], &alone]);
        let filtered = [&together[..], &["c"]].concat();
        assert_eq!(runs(&all, Some("c"), 4)[0], filtered);
        assert_eq!(runs(&all[1..2], Some("b"), 4), [alone]);
        assert_eq!(runs(&[], Some("c"), 4), Vec::<Vec<String>>::new());
    }

    #[test]
    fn tests_that_wait_for_each_other_are_twice_as_many() {
        let binary = |folder: &str, executable: &str| Binary {
            executable: executable.into(),
            folder: folder.into(),
        };
        assert_eq!(binary("/w/oxomp-testing", "/t/programs-0a1").at_once(4), 8);
        assert_eq!(binary("/w/oxomp-testing", "/t/multiplex-0a1").at_once(4), 4);
        assert_eq!(binary("/w/oxomp-analysis", "/t/programs-0a1").at_once(4), 4);
        let settings = include_str!("../../.config/nextest.toml");
        let filter = WAITING.map(|name| format!("binary({name})"));
        assert!(filter.iter().all(|name| settings.contains(name)), "{filter:?}");
    }

    #[test]
    fn nextest_is_told_the_same() {
        let settings = include_str!("../../.config/nextest.toml");
        let (all_tests, _) = settings.split_once("[[profile.models.").unwrap();
        let overrides = all_tests.split("[[profile.default.overrides]]").skip(1);
        let alone =
            overrides.filter(|text| text.contains("threads-required = \"num-test-threads\""));
        let filters = alone.flat_map(str::lines).filter(|line| line.starts_with("filter"));
        assert_eq!(filters.collect::<Vec<_>>(), [format!("filter = \"test(/{ALONE}/)\"")]);
    }

    #[test]
    fn cargos_messages_and_lists_are_read() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/w/oxomp-analysis/Cargo.toml","target":{"kind":["test"]},"profile":{"test":true},"executable":"/t/report-1"}
{"reason":"compiler-artifact","manifest_path":"/w/oxomp-analysis/Cargo.toml","target":{"kind":["lib"]},"profile":{"test":true},"executable":"/t/analysis-1"}
{"reason":"compiler-artifact","manifest_path":"/w/oxomp/Cargo.toml","target":{"kind":["bin"]},"profile":{"test":false},"executable":"/t/oxomp"}
{"reason":"build-finished","success":true}"#;
        let found = binaries(messages);
        let found: Vec<_> = found.iter().map(|it| it.executable.to_str().unwrap()).collect();
        assert_eq!(found, ["/t/analysis-1", "/t/report-1"]);
        assert_eq!(names("a::b: test\nc: benchmark\nd::e: test\n\n2 tests\n"), ["a::b", "d::e"]);
    }
}
