//! The Debian packages that the tests need, and their installation.

use std::iter;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command;

/// How to see that a package is there without asking dpkg, which other distributions lack.
#[derive(Debug)]
enum Evidence {
    Program(&'static str),
    File(&'static str),
    PythonModule(&'static str),
}

/// What the tests need, by the name of the Debian package that brings it.
const NEEDED: [(&str, Evidence); 8] = [
    ("gcc", Evidence::Program("gcc")),
    ("g++", Evidence::Program("g++")),
    ("gfortran", Evidence::Program("gfortran")),
    ("clang-22", Evidence::Program("clang-22")),
    ("libomp-22-dev", Evidence::File("/usr/lib/llvm-22/lib/libomp.so")),
    ("gdb", Evidence::Program("gdb")),
    ("python3", Evidence::Program("python3")),
    ("python3-venv", Evidence::PythonModule("ensurepip")),
];

const TSAN: &str = "/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-x86_64.a";

/// What some tests need, which say that they check nothing without it: a checker of memory, one of races,
/// and real programs that the runtime is tried with.
const WANTED: [(&str, Evidence); 9] = [
    ("valgrind", Evidence::Program("valgrind")),
    ("libclang-rt-22-dev", Evidence::File(TSAN)),
    ("python3-numpy", Evidence::File("/usr/lib/python3/dist-packages/numpy/__init__.py")),
    ("libopenblas0-openmp", Evidence::File("/usr/share/doc/libopenblas0-openmp/copyright")),
    ("libfftw3-dev", Evidence::File("/usr/include/fftw3.h")),
    ("graphicsmagick", Evidence::Program("gm")),
    ("xtb", Evidence::Program("xtb")),
    ("elk-lapw", Evidence::Program("elk-lapw")),
    ("liboffload-22-dev", Evidence::File("/usr/lib/llvm-22/lib/libomptarget.so")),
];

/// The packages of `NEEDED` that are not there.
pub fn missing() -> Vec<&'static str> {
    missing_of(&NEEDED)
}

fn missing_of(packages: &[(&'static str, Evidence)]) -> Vec<&'static str> {
    packages.iter().filter(|(_, evidence)| !is_present(evidence)).map(|(name, _)| *name).collect()
}

/// Installs what is missing if we are root on a Debian machine and `install` says so; else an
/// error that names the packages, and a line where only some tests have to do without.
pub fn ensure(install: bool) -> Result<()> {
    let (needed, wanted) = (missing(), missing_of(&WANTED));
    if needed.is_empty() && wanted.is_empty() {
        return Ok(());
    }
    let installed = match install && is_root() && command::exists("apt-get") {
        true => install_all(&needed, &wanted),
        false => Ok(()),
    };
    let (needed, wanted) = (missing().join(" "), missing_of(&WANTED).join(" "));
    if !needed.is_empty() {
        installed?;
        bail!("the tests need packages that are not installed; as root: apt-get install {needed}");
    }
    if !wanted.is_empty() {
        if let Err(error) = installed {
            eprintln!("xtask: {error:#}");
        }
        eprintln!("xtask: tests that need {wanted} are skipped; as root: apt-get install {wanted}");
    }
    Ok(())
}

fn install_all(needed: &[&str], wanted: &[&str]) -> Result<()> {
    command::run(apt().arg("update")).context("cannot fetch the package lists")?;
    let words = ["install", "--yes", "--no-install-recommends"];
    // Apart, so that those which cannot be had keep nobody from the others.
    for packages in iter::once(needed).chain(wanted.chunks(1)) {
        if !packages.is_empty() {
            command::run(apt().args(words).args(packages))
                .with_context(|| format!("cannot install {}", packages.join(" ")))?;
        }
    }
    Ok(())
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet");
    apt
}

fn is_present(evidence: &Evidence) -> bool {
    match evidence {
        Evidence::Program(name) => command::exists(name),
        Evidence::File(path) => Path::new(path).exists(),
        Evidence::PythonModule(name) => Command::new("python3")
            .args(["-c", &format!("import {name}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success()),
    }
}

fn is_root() -> bool {
    command::capture(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::{Evidence, is_present};

    #[test]
    fn evidence_is_looked_at() {
        assert!(is_present(&Evidence::Program("sh")));
        assert!(!is_present(&Evidence::Program("no-such-program-here")));
        assert!(is_present(&Evidence::File("/")));
        assert!(!is_present(&Evidence::File("/no/such/file")));
    }
}
