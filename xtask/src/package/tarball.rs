//! The archive that is unpacked anywhere: by gzip, which a minimal Debian has, other than xz.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_prerequisites::Program;

use super::release::Release;

/// Packs the contents of `folder` below a folder `name`, which is also the name of the archive, and
/// returns the archive's path. Order, times, owners and permissions are those of the release, not
/// of this machine.
pub(super) fn pack(folder: &Path, name: &str, release: &Release, out: &Path) -> Result<PathBuf> {
    let archive = out.join(format!("{name}.tar.gz"));
    let mut tar = Program::Tar.command();
    tar.args(["--create", "--sort=name", "--format=gnu", "--owner=0", "--group=0"]);
    tar.args(["--numeric-owner", "--mode=go=rX,u+rw,a-s"]);
    tar.arg(format!("--mtime=@{}", release.epoch));
    tar.arg(format!("--transform=flags=r;s,^\\.,{name},"));
    tar.arg("--directory").arg(folder).arg(".");
    command::announce(&tar);
    let mut packing = tar.stdout(Stdio::piped()).spawn().context("cannot start tar")?;
    let mut gzip = Program::Gzip.command();
    gzip.args(["-9", "--no-name", "--stdout"]);
    gzip.stdin(packing.stdout.take().context("tar has no output")?);
    fs::create_dir_all(out)?;
    let file = File::create(&archive).with_context(|| archive.display().to_string())?;
    let compressed = gzip.stdout(file).status().context("cannot start gzip")?;
    command::succeeded(&tar, packing.wait()?)?;
    command::succeeded(&gzip, compressed)?;
    Ok(archive)
}
