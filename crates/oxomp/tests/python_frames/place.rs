//! A folder with the library and the scripts, and the command.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use oxomp_prerequisites::Program;
use oxomp_testing::directives::Ending;
use oxomp_testing::process::{Outcome, clear_environment, run};
use serde_json::Value;
use tempfile::TempDir;

/// No step of a test runs longer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// The folder.
pub(crate) struct Place(TempDir);

/// The folder of the sources.
pub(crate) fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

impl Place {
    /// A folder with the library of `python_work.c`, compiled.
    pub(crate) fn new() -> Self {
        let place = Self(TempDir::new().expect("a temporary folder"));
        let mut compile = Program::Gcc.command();
        compile.args(["-O2", "-g", "-fopenmp", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]);
        compile.arg("-o").arg(place.library()).arg(programs().join("python_work.c"));
        let output = compile.output().expect("gcc");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.path("libpython_work.so")
    }

    /// Copies a script of `tests/programs` under another name; returns its path and its text.
    pub(crate) fn script(&self, name: &str, copy: &str) -> (PathBuf, String) {
        let text = fs::read_to_string(programs().join(name)).expect("a script");
        fs::write(self.path(copy), &text).expect("a file");
        (self.path(copy), text)
    }

    /// The command of oxomp, in this folder.
    pub(crate) fn oxomp(&self) -> Command {
        let path = std::env::var_os("OXOMP_BIN").expect("OXOMP_BIN: run `cargo xtask test`");
        self.clean(Command::new(path))
    }

    /// Profiles a program with its arguments `hertz` times a second, which writes `answer`; returns
    /// the document of the recording, whose folder is `run`.
    pub(crate) fn profile(
        &self,
        run: &str,
        hertz: &str,
        program: &[PathBuf],
        answer: &str,
    ) -> Value {
        self.profile_with(&[], run, hertz, program, answer)
    }

    /// As [`Place::profile`], with variables in the program's environment.
    pub(crate) fn profile_with(
        &self,
        variables: &[(&str, &OsStr)],
        run: &str,
        hertz: &str,
        program: &[PathBuf],
        answer: &str,
    ) -> Value {
        let mut command = self.oxomp();
        command.args(["profile", "--hz", hertz, "-o", run, "--"]).args(program);
        command.envs(variables.iter().copied());
        let outcome = succeed(command);
        assert_eq!(outcome.stdout, answer, "{outcome:#?}");
        assert!(!outcome.stderr.contains("_PyEval"), "{}", outcome.stderr);
        let mut command = self.oxomp();
        command.args(["report", run, "--json=-"]);
        serde_json::from_str(&succeed(command).stdout).expect("a document")
    }

    /// `command` in this folder, without variables that would change what it does.
    pub(crate) fn clean(&self, mut command: Command) -> Command {
        clear_environment(&mut command);
        for name in ["PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP"] {
            command.env_remove(name);
        }
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }
}

/// Runs a command that ends well.
pub(crate) fn succeed(mut command: Command) -> Outcome {
    let outcome =
        run(&mut command, PATIENCE).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert_eq!(outcome.ending, Ending::Status(0), "{command:?}: {outcome:#?}");
    outcome
}
