//! Intel's OpenMP runtime, which the profiler's tests compare with: a package of PyPI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

use oxomp_build::command;

/// The package's name at PyPI.
const PACKAGE: &str = "intel-openmp";

/// The Python environment below `target` that the package is installed into.
const ENVIRONMENT: &str = "reference/python";

/// Where `libiomp5.so` lies below `target` once `ensure` has been called.
pub fn place(target: &Path) -> PathBuf {
    target.join(ENVIRONMENT).join("lib/libiomp5.so")
}

/// Where `libiomp5.so` lies below `target`, installed there if it is not yet.
pub fn ensure(target: &Path) -> Result<PathBuf> {
    let environment = target.join(ENVIRONMENT);
    let library = place(target);
    if library.is_file() {
        return Ok(library);
    }
    if environment.exists() {
        // Half installed by an earlier run that was interrupted.
        fs::remove_dir_all(&environment)?;
    }
    command::run(Program::Python.command().args(["-m", "venv"]).arg(&environment))?;
    command::run(Command::new(environment.join("bin/pip")).args([
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        PACKAGE,
    ]))?;
    library.is_file().then_some(library).context("the package holds no lib/libiomp5.so")
}
