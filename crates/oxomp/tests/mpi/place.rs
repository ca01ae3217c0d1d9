//! A folder in which programs of MPI are compiled, profiled and reported.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{Prerequisite, Program};
use serde_json::Value;
use tempfile::TempDir;

/// Variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 6] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "OMP_TOOL",
    "OMP_TOOL_LIBRARIES",
    "OMP_NUM_THREADS",
    "OXOMP_HOME",
];

/// An implementation of MPI: its compilers of C and of Fortran, and its launcher.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mpi {
    pub(crate) c: Program,
    pub(crate) fortran: Program,
    launcher: Program,
}

pub(crate) const OPEN_MPI: Mpi = Mpi {
    c: Program::MpiccOpenmpi,
    fortran: Program::MpifortOpenmpi,
    launcher: Program::MpirunOpenmpi,
};
pub(crate) const MPICH: Mpi =
    Mpi { c: Program::MpiccMpich, fortran: Program::MpifortMpich, launcher: Program::MpirunMpich };

/// The implementations that are there.
pub(crate) fn implementations() -> impl Iterator<Item = Mpi> {
    let is_there =
        |mpi: &Mpi| has_all(&[mpi.c, mpi.fortran, mpi.launcher].map(Prerequisite::Program));
    [OPEN_MPI, MPICH].into_iter().filter(is_there)
}

pub(crate) fn oxomp() -> String {
    std::env::var("OXOMP_BIN").expect("OXOMP_BIN names the command to test: run `cargo xtask test`")
}

pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler").join(name)
}

/// A folder in which programs run.
pub(crate) struct Place {
    folder: TempDir,
    mpi: Mpi,
}

impl Place {
    pub(crate) fn new(mpi: Mpi) -> Self {
        Self { folder: TempDir::new().expect("a temporary folder"), mpi }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a program of tests/profiler as `name`.
    pub(crate) fn compile(&self, compiler: Program, file: &str, name: &str, options: &[&str]) {
        let mut command = compiler.command();
        command.args(["-g", "-O2", "-o"]).arg(self.path(name)).arg(source(file)).args(options);
        let output = command.output().expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
    }

    /// A command that ends, whatever happens.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Program::Timeout.command();
        command.args(["-k", "1", "100"]).args(words).current_dir(self.folder.path());
        for name in VARIABLES {
            command.env_remove(name);
        }
        // Root may run Open MPI, with more ranks than there are processors.
        for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
            command.env(name, "1");
        }
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        command.env("OMPI_MCA_hwloc_base_binding_policy", "none");
        command
    }

    /// Runs the program on `ranks` ranks below `oxomp profile -o data`.
    pub(crate) fn profile(&self, ranks: u32, words: &[&str], variables: &[(&str, &str)]) -> Output {
        let (oxomp, ranks) = (oxomp(), ranks.to_string());
        let launcher = [self.mpi.launcher.text(), "-n", &ranks];
        let words = [&launcher, &[&oxomp, "profile", "-o", "data", "--"][..], words].concat();
        self.command(&words).envs(variables.iter().copied()).output().expect("a launcher")
    }

    /// The document of the job in `data`.
    pub(crate) fn job(&self) -> Value {
        let output = self.command(&[&oxomp(), "report", "data", "--json=-"]).output().unwrap();
        assert!(output.status.success(), "{output:#?}");
        serde_json::from_slice(&output.stdout).expect("a document")
    }
}
