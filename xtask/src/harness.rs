//! Running the test binaries without cargo-nextest: on all processors, but for tests that must have
//! the machine to themselves.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::command;

/// A test with one of these in its name runs alone on the machine, as `.config/nextest.toml` says.
const ALONE: [&str; 3] = ["timing", "known_answer", "stress"];

/// The package whose integration tests all run alone.
const ALL_ALONE: &str = "oxomp-analysis";

/// An executable with tests that Cargo has built.
#[derive(Debug)]
struct Binary {
    executable: PathBuf,
    /// The package's folder, in which Cargo would run it.
    folder: PathBuf,
    /// Whether it is an integration test of [`ALL_ALONE`].
    is_alone: bool,
}

impl Binary {
    /// A command that starts it in its folder, with the variables of `build`.
    fn start(&self, build: &Command) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder);
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

/// Builds with `build`, a `cargo test` command, and runs the tests whose names contain `filter`.
///
/// # Errors
///
/// A build or a test that failed, after the others have run, or a filter that no test's name
/// contains.
pub fn run(build: &mut Command, filter: Option<&str>) -> Result<()> {
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
        for arguments in runs(&tests, binary.is_alone, filter) {
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
        bail!("no test's name contains `{}`", filter.unwrap_or_default());
    }
    eprintln!("xtask: {count} tests passed");
    Ok(())
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
    let is_integration = message["target"]["kind"][0] == "test";
    Some(Binary {
        executable: message["executable"].as_str()?.into(),
        is_alone: is_integration && folder.ends_with(ALL_ALONE),
        folder,
    })
}

/// The names of tests in what a binary lists.
pub(crate) fn names(list: &str) -> Vec<String> {
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    names.map(str::to_owned).collect()
}

/// The arguments of each run of a binary whose tests these are: together what may run together,
/// then one by one what must be alone.
fn runs(tests: &[String], all_alone: bool, filter: Option<&str>) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    if tests.is_empty() {
        return Vec::new();
    }
    let is_alone = |test: &&String| ALONE.iter().any(|word| test.contains(word));
    let (alone, together): (Vec<&String>, Vec<&String>) = tests.iter().partition(is_alone);
    let mut runs = Vec::new();
    if all_alone {
        runs.push(words(&["--test-threads=1"]));
    } else if !together.is_empty() {
        runs.push(ALONE.iter().flat_map(|word| words(&["--skip", word])).collect());
    }
    for run in &mut runs {
        run.extend(filter.map(str::to_owned));
    }
    if !all_alone {
        runs.extend(alone.into_iter().map(|test| words(&["--exact", test])));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::{ALL_ALONE, ALONE, binaries, names, runs};

    fn tests(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn what_measures_runs_alone_and_the_rest_together() {
        let all = tests(&["loop/a.c::gcc", "stress/b.c::gcc", "timing_of_c"]);
        let together = ["--skip", "timing", "--skip", "known_answer", "--skip", "stress"];
        let alone = [["--exact", "stress/b.c::gcc"], ["--exact", "timing_of_c"]];
        assert_eq!(runs(&all, false, None), [&together[..], &alone[0], &alone[1]]);
        let filtered = [&together[..], &["c"]].concat();
        assert_eq!(runs(&all, false, Some("c"))[0], filtered);
        assert_eq!(runs(&all[1..2], false, Some("b")), [alone[0]]);
        assert_eq!(runs(&all, true, Some("c")), [["--test-threads=1", "c"]]);
        assert_eq!(runs(&[], true, Some("c")), Vec::<Vec<String>>::new());
    }

    #[test]
    fn nextest_is_told_the_same() {
        let settings = include_str!("../../.config/nextest.toml");
        let filters: String = settings.lines().filter(|line| line.starts_with("filter")).collect();
        for word in ALONE {
            assert!(filters.contains(word), "{word} in {filters}");
        }
        assert!(filters.contains(&format!("package({ALL_ALONE}) & kind(test)")), "{filters}");
    }

    #[test]
    fn cargos_messages_and_lists_are_read() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/w/oxomp-analysis/Cargo.toml","target":{"kind":["test"]},"profile":{"test":true},"executable":"/t/report-1"}
{"reason":"compiler-artifact","manifest_path":"/w/oxomp-analysis/Cargo.toml","target":{"kind":["lib"]},"profile":{"test":true},"executable":"/t/analysis-1"}
{"reason":"compiler-artifact","manifest_path":"/w/oxomp/Cargo.toml","target":{"kind":["bin"]},"profile":{"test":false},"executable":"/t/oxomp"}
{"reason":"build-finished","success":true}"#;
        let found = binaries(messages);
        let found: Vec<_> =
            found.iter().map(|it| (it.executable.to_str().unwrap(), it.is_alone)).collect();
        assert_eq!(found, [("/t/analysis-1", false), ("/t/report-1", true)]);
        assert_eq!(names("a::b: test\nc: benchmark\nd::e: test\n\n2 tests\n"), ["a::b", "d::e"]);
    }
}
