//! EZTrace, a tool on OMPT that Debian packages, for `cargo xtask applications`.
//!
//! Its package depends on the OpenMP runtime of Debian's own LLVM, which excludes LLVM 22's, so the
//! package is unpacked and not installed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

use oxomp_build::command;

/// The tool, the library that writes its traces, and the program that prints them.
const PACKAGES: [&str; 3] = ["libeztrace0", "libopen-trace-format2-10", "otf2-tools"];

/// The folder below `target` that they are unpacked into.
const FOLDER: &str = "reference/eztrace";

/// Where the packages are unpacked below `target`, if they are.
pub fn find(target: &Path) -> Option<PathBuf> {
    let folder = target.join(FOLDER);
    folder.is_dir().then_some(folder)
}

/// Where the packages are unpacked below `target`, fetched if they are not yet there.
pub fn ensure(target: &Path) -> Result<PathBuf> {
    if let Some(folder) = find(target) {
        return Ok(folder);
    }
    // The folder has its name when all is there.
    let scratch = target.join(format!("{FOLDER}.part"));
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    fs::create_dir_all(&scratch)?;
    let mut fetch = Program::AptGet.command();
    fetch.args(["--quiet", "-o", "Acquire::Retries=3", "download"]).args(PACKAGES);
    command::run(fetch.current_dir(&scratch))?;
    for entry in fs::read_dir(&scratch)? {
        let package = entry?.path();
        let mut unpack = Program::DpkgDeb.command();
        command::run(unpack.arg("--extract").arg(&package).arg(&scratch))?;
        fs::remove_file(&package)?;
    }
    let folder = target.join(FOLDER);
    fs::rename(&scratch, &folder).with_context(|| format!("{}", folder.display()))?;
    Ok(folder)
}
