//! Programs of tests/profiler that are compiled, recorded and timed, before other processes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxomp_analysis::Analysis;
use oxomp_analysis::symbols::Symbols;
use oxomp_prerequisites::Program;
use oxomp_trace::Profile;
use tempfile::TempDir;

/// Held by the test that measures.
static ALONE: Mutex<()> = Mutex::new(());

/// A folder with compiled programs; while it exists, no other test measures.
pub(crate) struct Bench {
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        Self { folder: TempDir::new().expect("a temporary folder"), _alone: alone }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Compiles a source file of tests/profiler to the program `name`.
    pub(crate) fn compile(
        &self,
        compiler: Program,
        source: &str,
        name: &str,
        options: &[&str],
    ) -> PathBuf {
        let program = self.folder().join(name);
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler").join(source);
        let mut command = compiler.command();
        command.args(["-O2", "-g", "-fopenmp"]).args(options);
        let output = command.arg("-o").args([&program, &source]).output();
        let output = output.expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
        program
    }

    /// Runs `oxomp` with `words` and a program with `settings` in place of the user's, before other
    /// processes if that is allowed.
    pub(crate) fn oxomp(
        &self,
        words: &[&str],
        program: &Path,
        arguments: &[&str],
        settings: &[(&str, &str)],
    ) -> Output {
        let may_be_first = Program::Chrt.command().args(["-r", "1", "true"]).output();
        let mut command = match may_be_first {
            Ok(output) if output.status.success() => {
                let mut command = Program::Chrt.command();
                command.args(["-r", "1"]).arg(oxomp());
                command
            }
            _ => Command::new(oxomp()),
        };
        command.args(words).arg("--").arg(program).args(arguments).current_dir(self.folder());
        for name in ["OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_TOOL", "OMP_TOOL_LIBRARIES"] {
            command.env_remove(name);
        }
        command.env_remove("LD_PRELOAD").envs(settings.iter().copied());
        let output = command.output().expect("the command starts");
        assert!(output.status.success(), "{output:#?}");
        output
    }

    /// Records a run to `data` in the folder, with further `options` of the command; returns what
    /// it recorded, and the summary's text.
    pub(crate) fn record(
        &self,
        options: &[&str],
        program: &Path,
        arguments: &[&str],
        settings: &[(&str, &str)],
    ) -> (Analysis, String) {
        let data = self.folder().join("data");
        fs::remove_dir_all(&data).ok();
        let words = [&["profile", "--runtime", "oxomp", "-o", "data"], options].concat();
        let output = self.oxomp(&words, program, arguments, settings);
        let profile = Profile::open(data.join("run.oxp")).expect("a recording");
        let analysis = Analysis::new(profile, &mut Symbols::new());
        (analysis, String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The command to test.
pub(crate) fn oxomp() -> OsString {
    std::env::var_os("OXOMP_BIN")
        .expect("OXOMP_BIN names the command to test: run `cargo xtask test`")
}
