//! A bare machine: a minimal Debian, of this machine's release, in a folder of its own, with a C
//! compiler and Python, and nothing of oxomp's.
//!
//! It takes root. Each command has mounts of its own, which end with it, so that nothing of the
//! machine is left mounted in the folder when it is removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_prerequisites::{Foreign, Packaging, Program};
use tempfile::TempDir;

use super::architecture::Architecture;
use crate::foreign;

/// The packages beyond a minimal Debian: what the programs that are profiled need.
const PACKAGES: &str = "gcc,libc6-dev,python3-venv";

/// The folder of the machine in which commands run.
pub(super) const HOME: &str = "root";

/// The machine.
#[derive(Debug)]
pub(super) struct Bare {
    folder: TempDir,
}

impl Bare {
    /// A new machine of the processor. `folder` keeps the archive that the next ones are unpacked
    /// from.
    pub(super) fn new(folder: &Path, architecture: Architecture) -> Result<Self> {
        if let Some(processor) = architecture.emulated() {
            processor.emulate()?;
        }
        let archive = folder.join(format!("bare-{}.tar", architecture.debian()));
        if !archive.exists() {
            bootstrap(&archive, architecture)?;
        }
        let machine = Self { folder: TempDir::with_prefix_in("bare-", folder)? };
        let mut unpack = Program::Tar.command();
        unpack.args(["--extract", "--numeric-owner", "--directory"]).arg(machine.root());
        command::run(unpack.arg("--file").arg(&archive))?;
        Ok(machine)
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Copies a file or folder into the folder in which commands run.
    pub(super) fn bring(&self, from: &Path) -> Result<()> {
        let to = self.root().join(HOME);
        command::capture(Program::Cp.command().arg("--recursive").arg(from).arg(to)).map(drop)
    }

    /// Runs a script of bash, which ends with the first command that fails.
    pub(super) fn run(&self, script: &str) -> Result<()> {
        command::run(&mut self.shell(script))
    }

    /// Runs a script, and returns its output.
    pub(super) fn capture(&self, script: &str) -> Result<String> {
        command::capture(&mut self.shell(script))
    }

    fn shell(&self, script: &str) -> Command {
        let [mount, chroot] = [Foreign::Mount.text(), Packaging::Chroot.text()];
        let mounts = format!(
            "{mount} -t proc proc \"$2\"/proc && {mount} --rbind /dev \"$2\"/dev && \
             exec {chroot} \"$2\" env -i HOME=/{HOME} LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
             PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
             bash -c 'cd /{HOME} && set -e && eval \"$1\"' bash \"$1\""
        );
        let mut shell = Packaging::Unshare.command();
        shell.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", &mounts, "sh"]);
        shell.arg(script).arg(self.root());
        shell
    }

    /// All files of the machine, by path.
    pub(super) fn files(&self) -> Result<BTreeSet<String>> {
        let listed = self.capture("find / -xdev -not -type d")?;
        Ok(listed.lines().map(str::to_owned).collect())
    }
}

/// Makes the archive of a new machine.
fn bootstrap(archive: &Path, architecture: Architecture) -> Result<()> {
    let parent = archive.parent().context("an archive lies in a folder")?;
    fs::create_dir_all(parent)?;
    let part = archive.with_extension("part.tar");
    let mut make = Foreign::Mmdebstrap.command();
    make.args(["--quiet", "--variant=minbase", "--skip=check/qemu"])
        .arg(format!("--include={PACKAGES}"));
    make.arg(format!("--architectures={}", architecture.debian()));
    command::run(make.arg(foreign::release()?).arg(&part).args(foreign::sources()?))?;
    fs::rename(part, archive)?;
    Ok(())
}
