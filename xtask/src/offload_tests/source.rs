//! Where the tests come from: the upstream archive of Debian's source package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::Program;

use oxomp_build::command;

/// The source package. The archive of LLVM 22 is not in Debian's mirrors beside its packages.
const PACKAGE: &str = "llvm-toolchain-19";

/// The parts of the archive that are kept: the tests, and the runner that they are written for.
const PARTS: [&str; 2] = ["*/offload/test", "*/llvm/utils/lit"];

/// The sources that the tests need.
#[derive(Debug)]
pub(super) struct Tests {
    /// The folder of the tests.
    pub(super) tests: PathBuf,
    /// LLVM's test runner.
    pub(super) lit: PathBuf,
}

/// The tests below `target`, fetched if they are not there yet, or taken from `archive`.
pub(super) fn ensure(target: &Path, archive: Option<&Path>) -> Result<Tests> {
    let folder = target.join("reference").join(PACKAGE);
    let found =
        Tests { tests: folder.join("offload/test"), lit: folder.join("llvm/utils/lit/lit.py") };
    if found.lit.is_file() && found.tests.is_dir() {
        return Ok(found);
    }
    let archive = match archive {
        Some(archive) => archive.to_owned(),
        None => fetch(&target.join("reference"))?,
    };
    // Appears whole: an interrupted run leaves nothing that looks complete.
    let unfinished = folder.with_extension("unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    fs::create_dir_all(&unfinished)?;
    let mut tar = Program::Tar.command();
    tar.arg("-xf").arg(&archive).arg("-C").arg(&unfinished);
    tar.args(["--strip-components=1", "--wildcards", "--no-wildcards-match-slash"]).args(PARTS);
    command::run(&mut tar)?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::rename(&unfinished, &folder)?;
    Ok(found)
}

/// Downloads the archive into `folder`, with lists of its own: the machine's may lack sources.
fn fetch(folder: &Path) -> Result<PathBuf> {
    let lists = folder.join("apt");
    fs::create_dir_all(lists.join("partial"))?;
    let list = folder.join("apt.list");
    fs::write(&list, sources()?)?;
    let apt = || -> Command {
        let mut apt = Program::AptGet.command();
        apt.current_dir(folder).args(["--quiet", "-o", "Dir::Etc::sourceparts=-"]);
        apt.arg("-o").arg(format!("Dir::Etc::sourcelist={}", list.display()));
        apt.arg("-o").arg(format!("Dir::State::lists={}", lists.display()));
        apt.args(["-o", "APT::Sandbox::User=root"]);
        apt
    };
    command::run(apt().arg("update"))?;
    command::run(apt().args(["source", "--download-only", PACKAGE]))?;
    let files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut archives: Vec<PathBuf> = files
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(PACKAGE) && name.contains(".orig.tar.")
        })
        .collect();
    archives.sort();
    archives.pop().context("the source package has no upstream archive")
}

/// Lines for the sources of each place from which the machine gets Debian's packages.
fn sources() -> Result<String> {
    let mut targets = Program::AptGet.command();
    targets.args(["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]);
    let targets = command::capture(targets.args(["Created-By: Packages", "Origin: Debian"]))?;
    let mut lines: Vec<String> =
        targets.lines().map(|place| format!("deb-src {place}\n")).collect();
    lines.sort();
    lines.dedup();
    if lines.is_empty() {
        bail!("apt-get knows no place of Debian: give the archive with --archive");
    }
    Ok(lines.concat())
}
