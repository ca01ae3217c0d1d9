//! Installs the prerequisites that the machine lacks.

use std::process::Command;

use anyhow::{Result, bail};
use oxomp_prerequisites::{Prerequisite, Program};

use oxomp_build::command;

/// Installs the missing ones of `wanted` if `install` is set, the user is root and the machine a
/// Debian one, and names those that are still missing, once.
///
/// # Errors
///
/// A prerequisite is missing that `required` accepts.
pub fn ensure(
    install: bool,
    wanted: &[Prerequisite],
    required: impl Fn(Prerequisite) -> bool,
) -> Result<()> {
    let mut missing = missing_of(wanted);
    if !missing.is_empty() && install && is_root() && Program::AptGet.find().is_some() {
        install_packages(&packages_of(&missing));
        missing = missing_of(wanted);
    }
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("xtask: missing on this machine:");
    for prerequisite in &missing {
        eprintln!("xtask:   {prerequisite}");
    }
    let packages = packages_of(&missing).join(" ");
    eprintln!("xtask: as root: apt-get install --no-install-recommends {packages}");
    let stops: Vec<String> =
        missing.into_iter().filter(|it| required(*it)).map(|it| it.to_string()).collect();
    if !stops.is_empty() {
        bail!("nothing can be done without {}", stops.join(", "));
    }
    let then = if std::env::var_os("CI").is_some() { "fail, as CI is set" } else { "are skipped" };
    eprintln!("xtask: tests that need what is missing {then}");
    Ok(())
}

fn missing_of(wanted: &[Prerequisite]) -> Vec<Prerequisite> {
    wanted.iter().copied().filter(|it| !it.is_present()).collect()
}

/// The packages of `prerequisites`, each once.
fn packages_of(prerequisites: &[Prerequisite]) -> Vec<&'static str> {
    let mut packages: Vec<&str> = prerequisites.iter().map(|it| it.package()).collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

/// Installs all packages at once, or, if that fails, one after the other, so that a package that is
/// not to be had does not prevent the others. A failure shows by the packages that are missing
/// afterwards.
fn install_packages(packages: &[&str]) {
    eprintln!("xtask: installing {} packages: {}", packages.len(), packages.join(" "));
    if let Err(error) = command::run(apt().arg("update")) {
        eprintln!("xtask: cannot fetch the package lists: {error:#}");
    }
    let get = |packages: &[&str]| {
        command::run(apt().args(["install", "--yes", "--no-install-recommends"]).args(packages))
    };
    if get(packages).is_err() {
        for package in packages {
            if let Err(error) = get(&[package]) {
                eprintln!("xtask: {error:#}");
            }
        }
    }
}

fn apt() -> Command {
    let mut apt = Program::AptGet.command();
    apt.env("DEBIAN_FRONTEND", "noninteractive").args(["--quiet", "-o", "Acquire::Retries=3"]);
    apt
}

pub(crate) fn is_root() -> bool {
    command::capture(Program::Id.command().arg("-u")).is_ok_and(|user| user.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::{ensure, packages_of};
    use oxomp_prerequisites::{File, Prerequisite, Program};

    #[test]
    fn a_package_that_brings_several_things_is_asked_for_once() {
        let all = [Program::Gxx, Program::Clangxx, Program::Clang].map(Prerequisite::from);
        assert_eq!(packages_of(&all), [Program::Clang.package(), Program::Gxx.package()]);
    }

    #[test]
    fn what_is_there_is_enough() {
        let wanted = [Program::Sh.into(), Program::Cc.into(), File::CHeaders.into()];
        ensure(false, &wanted, |_| true).expect("a machine that could build this test");
    }
}
