//! One run of one benchmark on one runtime.

use std::collections::BTreeMap;
use std::env;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::conditions::Conditions;
use super::figure::Measured;
use super::plan::Effort;
use super::runtimes::Column;

/// The time limit of a run. A run takes well below a second; one that takes longer hangs, or gets
/// no processor at all.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How often the driver checks whether a run has ended: seldom, since checking may disturb the run.
const PERIOD: Duration = Duration::from_millis(5);

/// Prefixes of variables that would change the figures.
const NOT_INHERITED: [&str; 5] = ["OMP_", "KMP_", "GOMP_", "LD_", "OXOMP_"];

/// How a run ended.
#[derive(Debug)]
pub(super) enum Outcome {
    Measured(Measured),
    NeedsThreads(u32),
}

/// Runs `benchmark` of `program`; an error says why the benchmark has no figure.
pub(super) fn run(
    program: &Path,
    benchmark: &str,
    column: &Column,
    conditions: &Conditions,
    processors: &[u32],
    effort: Effort,
) -> Result<Outcome> {
    let mut command = on_runtime(program, column, conditions.threads);
    if let Some(places) = conditions.places(processors) {
        command.env("OMP_PLACES", places).env("OMP_PROC_BIND", "close");
    }
    command.arg(benchmark).args(["--samples", &effort.samples.to_string()]);
    command.args(["--sample-us", &effort.sample_us.to_string()]);
    read(&output_of(command)?.stdout, &column.library)
}

/// Makes the command that runs `program` on the runtime of `column` with `threads` threads.
pub(super) fn on_runtime(program: &Path, column: &Column, threads: u32) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if NOT_INHERITED.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.env("LD_LIBRARY_PATH", &column.folder);
    command.env("OMP_NUM_THREADS", threads.to_string());
    command
}

/// What a program has written.
#[derive(Debug)]
pub(super) struct Output {
    /// The line that tells its result.
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Runs `command` to its end within the time limit; an error says why it has no result.
pub(super) fn output_of(mut command: Command) -> Result<Output> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.spawn().with_context(|| format!("cannot start {program}"))?;
    let Some(status) = wait(child, TIMEOUT)? else {
        bail!("was stopped after {} s", TIMEOUT.as_secs());
    };
    let stderr = contents(&mut stderr)?;
    if !status.success() {
        bail!("{status}: {}", stderr.lines().last().unwrap_or("it said nothing"));
    }
    Ok(Output { stdout: contents(&mut stdout)?.trim_end().to_owned(), stderr })
}

/// Waits for the end; `None` if the run took longer than `limit` and was stopped.
fn wait(mut child: Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PERIOD);
    }
}

fn contents(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The `key=value` words of the line that a program prints, which says that it ran on `library`.
pub(super) fn words<'a>(line: &'a str, library: &Path) -> Result<BTreeMap<&'a str, &'a str>> {
    let (words, runtime) = line.split_once(" runtime=").context("the program printed no result")?;
    let runtime = Path::new(runtime).canonicalize().unwrap_or_default();
    ensure!(runtime == library, "it ran on {}", runtime.display());
    Ok(words.split_whitespace().filter_map(|word| word.split_once('=')).collect())
}

/// Reads the line that a program prints about its measurement on `library`.
fn read(line: &str, library: &Path) -> Result<Outcome> {
    let words = words(line, library)?;
    if let Some(least) = words.get("skipped") {
        return Ok(Outcome::NeedsThreads(least.parse()?));
    }
    let number = |key: &str| words.get(key).and_then(|text| text.parse::<f64>().ok());
    Ok(Outcome::Measured(Measured {
        median: number("median").context("the program printed no median")?,
        min: number("min").context("the program printed no minimum")?,
        disturbed: number("disturbed"),
    }))
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fs;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    use super::{Outcome, read, wait};

    #[test]
    #[ignore = "never ends: run by the test below"]
    fn hangs() {
        loop {
            thread::park();
        }
    }

    #[test]
    fn a_run_that_hangs_is_stopped() {
        let program = env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.args(["--ignored", "--exact", "bench::trial::tests::hangs"]);
        let child = command.stdout(Stdio::null()).spawn().expect("a process");
        let process = format!("/proc/{}", child.id());
        let status = wait(child, Duration::from_millis(10)).expect("it can be waited for");
        assert_eq!(status, None);
        assert!(!fs::exists(process).expect("/proc is readable"));
    }

    #[test]
    fn a_result_is_read_if_the_runtime_is_the_right_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = folder.path().canonicalize().expect("a path").join("libomp.so.5");
        fs::write(&library, "").expect("writable");
        let line = |words: &str| format!("name=a {words} runtime={}", library.display());
        let words = "count=2 samples=3 min=1.50 median=2.50 reference=9 disturbed=0.250";
        let Ok(Outcome::Measured(measured)) = read(&line(words), &library) else {
            panic!("no figure")
        };
        assert_eq!((measured.min, measured.median, measured.disturbed), (1.5, 2.5, Some(0.25)));
        assert!(matches!(read(&line("skipped=2"), &library), Ok(Outcome::NeedsThreads(2))));
        assert!(read(&line("min=1.5"), &library).is_err());
        assert!(read(&line(words), folder.path()).is_err());
        assert!(read("", &library).is_err());
    }
}
