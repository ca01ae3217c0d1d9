//! Recordings of programs, and what is left of them after an accident.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_analysis::Analysis;
use oxomp_analysis::symbols::Symbols;
use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite, Program};
use oxomp_trace::Profile;
use tempfile::TempDir;

/// A program that was run under `oxomp profile`.
pub(crate) struct Recording {
    pub(crate) folder: TempDir,
    pub(crate) file: PathBuf,
}

impl Recording {
    /// Compiles `source`, a path in the workspace, and records a run of it; `None`, after a
    /// message, if there is no command to record with.
    pub(crate) fn of(source: &str) -> Option<Self> {
        Self::built_by(Program::Gcc, &[], source, &[], None)
    }

    /// As [`Recording::of`], of a run with these arguments.
    pub(crate) fn of_run(source: &str, arguments: &[&str]) -> Option<Self> {
        Self::built_by(Program::Gcc, &[], source, arguments, None)
    }

    /// As [`Recording::of`], of a run with this variable of the environment.
    pub(crate) fn of_run_in(source: &str, variable: (&str, &str)) -> Option<Self> {
        Self::built_by(Program::Gcc, &[], source, &[], Some(variable))
    }

    /// As [`Recording::of`], of a program whose target constructs are for the host device.
    pub(crate) fn offloading(source: &str) -> Option<Self> {
        let files = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
        let target = format!("-fopenmp-targets={HOST_DEVICE}");
        has_all(&files.map(Prerequisite::from))
            .then(|| Self::built_by(Program::Clang, &[&target], source, &[], None))?
    }

    fn built_by(
        compiler: Program,
        options: &[&str],
        source: &str,
        arguments: &[&str],
        variable: Option<(&str, &str)>,
    ) -> Option<Self> {
        let Some(command) = std::env::var_os("OXOMP_BIN") else {
            skip("OXOMP_BIN must name the oxomp command of a distribution");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut compiler = compiler.command();
        compiler.args(["-O2", "-g", "-fopenmp"]).args(options);
        compiler.arg("-o").arg(&program).arg(workspace.join(source));
        assert!(compiler.status().unwrap().success(), "{source}");
        let data = folder.path().join("data");
        let mut run = std::process::Command::new(command);
        run.args(["profile", "-o"]).arg(&data).arg("--").arg(&program).args(arguments);
        let output = run.envs(variable).output().unwrap();
        let file = data.join("run.oxp");
        assert!(file.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(Self { folder, file })
    }

    pub(crate) fn analysis(&self) -> Analysis {
        analysis_of(&self.file)
    }

    /// Writes `bytes` to a file called `name` beside the recording.
    pub(crate) fn beside(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

pub(crate) fn analysis_of(file: &Path) -> Analysis {
    Analysis::new(Profile::open(file).unwrap(), &mut Symbols::new())
}
