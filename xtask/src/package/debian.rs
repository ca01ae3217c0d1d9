//! Debian packages: the stage in the layout of a system, as `packaging/debian` describes it.
//!
//! `debian/rules` compiles nothing and looks into no file, so any machine makes the packages of any
//! processor. lintian judges them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_build::elf::SharedObject;
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{Packaging, Program};

use super::release::Release;
use super::stage::Stage;

/// The folder of the repository that describes the packages.
const DESCRIPTION: &str = "packaging/debian";

/// The repository's file that becomes the changelog of the packages.
const CHANGES: &str = "CHANGELOG.md";

/// The number that Debian counts packages of one version by.
const REVISION: u32 = 1;

/// The libraries of the package `libc6`, whose names begin so.
const OF_GLIBC: [&str; 6] =
    ["ld-linux", "libc.so.", "libdl.so.", "libm.so.", "libpthread.so.", "librt.so."];

/// Makes the packages of the stage, and returns their paths.
pub(super) fn build(
    workspace: &Workspace,
    stage: &Stage,
    release: &Release,
    out: &Path,
) -> Result<Vec<PathBuf>> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("source");
    let debian = source.join("debian");
    fs::create_dir(&source)?;
    let description = workspace.root.join(DESCRIPTION);
    command::capture(Program::Cp.command().arg("--recursive").arg(&description).arg(&debian))?;
    fs::copy(workspace.root.join(CHANGES), source.join(CHANGES)).context(CHANGES)?;
    fs::write(debian.join("changelog"), changelog(&debian, release)?)?;

    let mut build = Packaging::DpkgBuildpackage.command();
    build.current_dir(&source).args(["--build=binary", "--no-sign", "--no-check-builddeps"]);
    build.arg(format!("--host-arch={}", stage.architecture.debian()));
    build.env("SOURCE_DATE_EPOCH", release.epoch.to_string()).env("LC_ALL", "C.UTF-8");
    build.env("OXOMP_STAGE", &stage.root).env("OXOMP_DEBUG", &stage.debug);
    build.env("OXOMP_DEPENDS", depends(stage)?).env("DEB_BUILD_OPTIONS", "nocheck");
    command::capture(&mut build)?;

    let made = packages(folder.path())?;
    let mut judge = Packaging::Lintian.command();
    judge.args(["--allow-root", "--fail-on=error,warning"]).args(&made);
    command::run(judge.env("LC_ALL", "C.UTF-8"))?;
    fs::create_dir_all(out)?;
    made.iter()
        .map(|package| {
            let to = out.join(package.file_name().context("a package has a name")?);
            fs::copy(package, &to).with_context(|| to.display().to_string())?;
            Ok(to)
        })
        .collect()
}

/// The packages in `folder`, by name.
fn packages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut made = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|suffix| suffix == "deb") {
            made.push(path);
        }
    }
    made.sort();
    Ok(made)
}

/// Debian's changelog: one entry, whose version and time are the release's.
fn changelog(debian: &Path, release: &Release) -> Result<String> {
    let control = fs::read_to_string(debian.join("control")).context("debian/control")?;
    let maintainer = control.lines().find_map(|line| line.strip_prefix("Maintainer: "));
    let maintainer = maintainer.context("debian/control names no maintainer")?;
    let mut date = Program::Date.command();
    date.args(["--utc", "--rfc-email"]).arg(format!("--date=@{}", release.epoch));
    let time = command::capture(date.env("LC_ALL", "C"))?;
    Ok(entry(&release.version, maintainer, time.trim()))
}

fn entry(version: &str, maintainer: &str, time: &str) -> String {
    format!(
        "oxomp ({version}-{REVISION}) unstable; urgency=medium\n\n  \
         * Release {version}; changelog.gz has what changed.\n\n \
         -- {maintainer}  {time}\n"
    )
}

/// The packages whose libraries the files of the stage load, as a field `Depends`.
fn depends(stage: &Stage) -> Result<String> {
    let mut needed = BTreeSet::new();
    let mut own = BTreeSet::new();
    for folder in ["bin", "lib"] {
        let folder = stage.root.join(folder);
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            own.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            if path.is_file() && !path.is_symlink() {
                needed.extend(SharedObject::read(&path)?.needed);
            }
        }
    }
    let foreign = needed.difference(&own).map(String::as_str);
    depends_on(foreign, stage.glibc.text())
}

/// The packages of these libraries, the C library at least of the version `glibc`.
fn depends_on<'a>(libraries: impl Iterator<Item = &'a str>, glibc: &str) -> Result<String> {
    let mut packages = BTreeSet::from([format!("libc6 (>= {glibc})")]);
    for library in libraries {
        if library == "libgcc_s.so.1" {
            packages.insert("libgcc-s1".to_owned());
        } else if !OF_GLIBC.iter().any(|beginning| library.starts_with(beginning)) {
            bail!("{}: which package of Debian has {library}, which the stage needs?", file!());
        }
    }
    Ok(packages.into_iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::{depends_on, entry};

    #[test]
    fn the_changelog_has_debians_form() {
        let expected = "\
oxomp (1.2.3-1) unstable; urgency=medium

  * Release 1.2.3; changelog.gz has what changed.

 -- A Name <a@b.invalid>  Mon, 30 Nov 2026 00:12:46 +0000
";
        assert_eq!(
            entry("1.2.3", "A Name <a@b.invalid>", "Mon, 30 Nov 2026 00:12:46 +0000"),
            expected
        );
    }

    #[test]
    fn libraries_come_from_packages() {
        let depends = |libraries: &[&str]| depends_on(libraries.iter().copied(), "2.17");
        assert_eq!(depends(&["libc.so.6", "libm.so.6"]).expect("known"), "libc6 (>= 2.17)");
        let with_unwinder = depends(&["libgcc_s.so.1", "ld-linux.so.3"]).expect("known");
        assert_eq!(with_unwinder, "libc6 (>= 2.17), libgcc-s1");
        assert!(depends(&["libcrypto.so.3"]).is_err());
    }
}
