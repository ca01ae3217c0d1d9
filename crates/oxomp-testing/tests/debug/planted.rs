//! The planted programs: their sources, their executables, and processes of them.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use oxomp_testing::compiler::{Executables, Family, Recipe};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::{Outcome, clear_environment, run};

use crate::expectation::Expectation;

/// Nothing here takes longer than this, on a machine under load too.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A program and what its file says of it.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    pub(crate) recipe: Recipe,
    pub(crate) expectation: Expectation,
}

/// The folder of the sources.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug/programs")
}

/// The sources of all planted programs, in the order of their names.
pub(crate) fn sources() -> Result<Vec<PathBuf>, String> {
    let said = |error| format!("{}: {error}", folder().display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder()).map_err(said)? {
        let path = entry.map_err(said)?.path();
        if path.extension().is_some_and(|extension| extension != "h") {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

/// The runtime under test.
pub(crate) fn runtime() -> PathBuf {
    let folder = std::env::var_os("OXOMP_LIB");
    folder.expect("OXOMP_LIB names no runtime: run `cargo xtask test`").into()
}

/// `oxomp debug`, with nothing of the test's own environment.
pub(crate) fn oxomp_debug() -> Command {
    let program = std::env::var_os("OXOMP_BIN");
    let mut command =
        Command::new(program.expect("OXOMP_BIN names no command: run `cargo xtask test`"));
    clear_environment(&mut command);
    command.arg("debug");
    command
}

/// Runs a command that looks, to its end.
pub(crate) fn outcome(command: &mut Command) -> Result<Outcome, String> {
    let outcome = run(command, PATIENCE).map_err(|error| format!("{command:?}: {error}"))?;
    match &outcome.stacks {
        None => Ok(outcome),
        Some(stacks) => {
            Err(format!("{command:?} has not ended\n{}{}{stacks}", outcome.stdout, outcome.stderr))
        }
    }
}

impl Planted {
    /// The program of `source` by a compiler.
    pub(crate) fn new(source: &Path, compiler: Family) -> Result<Self, String> {
        let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let recipe = Recipe {
            source: source.to_owned(),
            compiler,
            level: "-O0".to_owned(),
            flags: Vec::new(),
            parts: Vec::new(),
        };
        Ok(Self { recipe, expectation: Expectation::parse(&name, &text)? })
    }

    /// The program of that file name.
    pub(crate) fn named(name: &str, compiler: Family) -> Result<Self, String> {
        Self::new(&folder().join(name), compiler)
    }

    /// The file name of its source.
    pub(crate) fn name(&self) -> String {
        self.recipe.source.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The program's executable, compiled at need.
    pub(crate) fn executable(&self) -> Result<PathBuf, String> {
        static EXECUTABLES: OnceLock<Result<Executables, String>> = OnceLock::new();
        let executables = EXECUTABLES.get_or_init(|| {
            let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("debug");
            Executables::new(cache, folder())
        });
        executables.as_ref().map_err(Clone::clone)?.get(&self.recipe)
    }

    /// A process of it on the runtime under test, without any help for debuggers.
    pub(crate) fn start(&self) -> Result<Process, String> {
        let mut command = Command::new(self.executable()?);
        clear_environment(&mut command);
        command.env("LD_LIBRARY_PATH", runtime());
        Process::start(&mut command)
    }
}

/// Kills a child that hangs, unless the answer is dropped before the end of our patience.
pub(crate) fn watched(pid: u32) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // SAFETY: kill has no memory preconditions. The process is our child and has not been
            // waited for, since that drops the sender.
            unsafe { libc::kill(pid.cast_signed(), libc::SIGKILL) };
        }
    });
    sender
}

/// A process that is killed at the end of its test.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
}

impl Process {
    /// Starts it with its output kept for [`Process::end`].
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        Ok(Self { child })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub(crate) fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether the process ends within `time`.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        let begin = Instant::now();
        while self.runs() {
            if begin.elapsed() > time {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// Waits for the process's end; returns its status and its output.
    pub(crate) fn end(mut self) -> Result<(ExitStatus, String), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let mut text = String::new();
        let stdout = self.child.stdout.take().expect("a pipe");
        std::io::Read::read_to_string(&mut { stdout }, &mut text)
            .map_err(|error| error.to_string())?;
        Ok((status, text))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// How a process ended.
pub(crate) fn ending(status: ExitStatus) -> Ending {
    match status.signal() {
        Some(signal) => Ending::Signal(signal),
        None => Ending::Status(status.code().unwrap_or_default()),
    }
}
