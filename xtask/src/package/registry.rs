//! `cargo xtask package`: the SDK's crates as they would be published.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use oxomp_build::command;
use oxomp_build::workspace::{Workspace, cargo};

/// The crates of the SDK, each after those it depends on.
const CRATES: [&str; 3] = ["oxomp-sys", "ompt-macros", "ompt"];

/// The files that each package contains beside its sources.
const CONTENTS: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Packs the crates, and builds each from its package; nothing is published. Cargo needs no
/// network for it once Cargo.lock's crates are fetched.
///
/// Cargo unpacks the package of a dependency into its home folder, under a name made of the path
/// and the version, and a later call takes what lies there for the package of that version. Both
/// folders are therefore new ones.
pub(super) fn run(workspace: &Workspace) -> Result<()> {
    for name in CRATES {
        let mut list = cargo();
        list.current_dir(&workspace.root).args(["package", "--list", "--allow-dirty", "-p", name]);
        let listed = command::capture(&mut list)?;
        if let Some(missing) =
            CONTENTS.iter().find(|file| !listed.lines().any(|line| line == **file))
        {
            bail!("the package of {name} has no {missing}");
        }
    }
    fs::create_dir_all(&workspace.target)?;
    let folder = tempfile::Builder::new().prefix("package-").tempdir_in(&workspace.target)?;
    let home = folder.path().join("home");
    share_home(&cargo_home()?, &home)?;
    let mut package = cargo();
    package.current_dir(&workspace.root).env("CARGO_HOME", &home);
    package.args(["package", "--quiet", "--allow-dirty", "--offline"]);
    package.arg("--target-dir").arg(folder.path().join("target"));
    command::run(package.args(CRATES.map(|name| format!("--package={name}"))))
}

/// Goes through the publication of the crates, in their order, up to the upload. It asks the
/// registry for what is there already.
pub(super) fn rehearse(workspace: &Workspace) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("publish-").tempdir_in(&workspace.target)?;
    let mut publish = cargo();
    publish.current_dir(&workspace.root).args(["publish", "--dry-run", "--allow-dirty"]);
    publish.arg("--target-dir").arg(folder.path());
    command::run(publish.args(CRATES.map(|name| format!("--package={name}"))))
}

/// Where Cargo keeps its settings and the crates that it fetched.
pub(super) fn cargo_home() -> Result<PathBuf> {
    match env::var_os("CARGO_HOME") {
        Some(home) if !home.is_empty() => Ok(PathBuf::from(home)),
        _ => Ok(env::home_dir().context("the user has no home folder")?.join(".cargo")),
    }
}

/// Makes `new` a home folder of Cargo with all that `home` has but the unpacked crates.
fn share_home(home: &Path, new: &Path) -> Result<()> {
    link_entries(home, new, "registry")?;
    link_entries(&home.join("registry"), &new.join("registry"), "src")
}

/// Makes `new` a folder of links to the entries of `folder`, without the one named `except`.
fn link_entries(folder: &Path, new: &Path, except: &str) -> Result<()> {
    fs::create_dir_all(new)?;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        if entry.file_name() != except {
            symlink(entry.path(), new.join(entry.file_name()))?;
        }
    }
    Ok(())
}
