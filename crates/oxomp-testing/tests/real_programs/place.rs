//! Where the tests find what they run, and where they keep what they make.

use std::env;
use std::path::{Path, PathBuf};

use oxomp_testing::skipped::skip;

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    let mut ancestors = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    ancestors.nth(2).expect("the crate lies in a workspace")
}

/// What is kept between runs.
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

/// What a Debian package brings; none, and said so, if it is not there.
pub(crate) fn installed(path: &str, package: &str) -> Option<PathBuf> {
    let path = PathBuf::from(path);
    if path.exists() {
        return Some(path);
    }
    let path = path.display();
    skip(&format!("{path} is missing: `cargo xtask test` as root or `apt-get install {package}`"));
    None
}

/// The folder of the OpenMP build of OpenBLAS, a BLAS and a LAPACK, which other builds may hide.
pub(crate) fn openblas() -> Option<PathBuf> {
    let folder = format!("/usr/lib/{}-linux-gnu/openblas-openmp", env::consts::ARCH);
    installed(&folder, "libopenblas0-openmp")
}

fn named(variable: &str, otherwise: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| workspace().join(otherwise), PathBuf::from)
}
