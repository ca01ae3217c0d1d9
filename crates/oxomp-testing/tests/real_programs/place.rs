//! Where the tests find what they run, and where they keep what they make.

use std::env;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, Program};

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    let mut ancestors = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    ancestors.nth(2).expect("the crate lies in a workspace")
}

/// The files that are kept between runs.
pub(crate) fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("real-programs")
}

/// The folder of the runtime under test.
pub(crate) fn runtime() -> PathBuf {
    let folder = named("OXOMP_LIB", "dist/lib");
    assert!(
        folder.join("libomp.so").exists(),
        "{} has no libomp.so: run `cargo xtask dist`, or name a folder in OXOMP_LIB",
        folder.display()
    );
    folder
}

/// The `oxomp` command.
pub(crate) fn command() -> PathBuf {
    let command = named("OXOMP_BIN", "dist/bin/oxomp");
    assert!(
        command.is_file(),
        "{} is missing: run `cargo xtask dist`, or name the command in OXOMP_BIN",
        command.display()
    );
    command
}

/// The recorder, an OMPT tool.
pub(crate) fn recorder() -> PathBuf {
    let beside = runtime().with_file_name("lib-dev").join("liboxomp_recorder.so");
    env::var_os("OXOMP_RECORDER").map_or(beside, PathBuf::from)
}

/// The program's path; `None`, with a message, if it is missing.
pub(crate) fn installed(program: Program) -> Option<PathBuf> {
    if has_all(&[program.into()]) { program.find() } else { None }
}

/// The folder of the OpenMP build of OpenBLAS; `None`, with a message, if it is missing.
pub(crate) fn openblas() -> Option<&'static Path> {
    has_all(&[File::OpenBlas.into()]).then(|| File::OpenBlas.path())
}

fn named(variable: &str, otherwise: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| workspace().join(otherwise), PathBuf::from)
}
