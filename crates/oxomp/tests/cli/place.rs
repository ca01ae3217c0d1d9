//! Folders with compiled programs and with a runtime that can be recognised.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::Program;
use tempfile::TempDir;

/// What the runtime in [`Place::home`] answers to `omp_get_num_procs`.
pub(crate) const OURS: &str = "procs 4242\n";

/// A folder for one test: sources, programs, and `home/lib` with the runtime to be put under them.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    /// A folder whose runtime is a small recognisable one.
    pub(crate) fn new() -> Self {
        let place = Self { folder: TempDir::new().expect("a temporary folder") };
        fs::create_dir_all(place.path("home/lib")).expect("a folder for the runtime");
        place.runtime("home/lib/libomp.so", "libomp.so.5", 4242);
        for name in ["libomp.so.5", "libiomp5.so", "libgomp.so.1"] {
            symlink("libomp.so", place.path("home/lib").join(name)).expect("a link");
        }
        // Any shared object will do: these tests do not look at the records.
        for name in ["liboxomp_collect.so", "liboxomp_mpi.so", "liboxomp_multiplex.so"] {
            place.runtime(&format!("home/lib/{name}"), name, 0);
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles `tests/programs/<source>`.
    pub(crate) fn compile(
        &self,
        compiler: Program,
        source: &str,
        name: &str,
        flags: &[&str],
    ) -> PathBuf {
        let path = self.path(name);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
        let mut command = compiler.command();
        command.arg("-o").arg(&path).arg(source).args(flags).current_dir(self.folder.path());
        succeed(&mut command);
        path
    }

    /// A shared object that answers `procs` to `omp_get_num_procs`.
    pub(crate) fn runtime(&self, name: &str, soname: &str, procs: u32) -> PathBuf {
        let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/runtime.map");
        let flags = [
            "-shared".to_owned(),
            "-fPIC".to_owned(),
            format!("-DPROCS={procs}"),
            format!("-Wl,-soname,{soname}"),
            format!("-Wl,--version-script,{}", map.display()),
        ];
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        self.compile(Program::Cc, "runtime.c", name, &flags)
    }

    /// The usual program, compiled by gcc.
    pub(crate) fn app(&self) -> PathBuf {
        self.compile(Program::Gcc, "app.c", "app", &["-fopenmp"])
    }

    /// An executable text file.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let (draft, path) = (self.path("draft"), self.path(name));
        fs::write(&draft, text).expect("the script is written");
        // Copied by another process: a file that this one has open for writing is inherited by
        // whatever other tests start just then, and cannot be run until they have ended.
        succeed(Program::Install.command().args(["-m", "755"]).arg(&draft).arg(&path));
        path
    }

    /// `oxomp` with the folder's runtime and without what the test's own environment says.
    pub(crate) fn oxomp<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oxomp"));
        command.args(arguments);
        self.prepare(&mut command);
        command
    }

    /// The environment and folder of [`Place::oxomp`].
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.current_dir(self.folder.path()).env("OXOMP_HOME", self.path("home"));
        for name in [
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "OMP_TOOL",
            "OMP_TOOL_LIBRARIES",
            "OXOMP_MULTIPLEX_TOOLS",
        ] {
            command.env_remove(name);
        }
    }
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {output:#?}");
    output
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
