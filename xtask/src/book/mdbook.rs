//! mdBook, which makes HTML of the pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_build::workspace::{Workspace, cargo};

use super::place::BOOK;

/// The version of mdBook. Its own list of dependencies (`--locked`) decides about theirs.
const VERSION: &str = "0.5.4";

/// Where Cargo puts it, below the target folder.
const FOLDER: &str = "tools/mdbook";

/// Builds the book into `book` of the target folder, and says where that is.
pub(super) fn build(workspace: &Workspace) -> Result<PathBuf> {
    let program = ensure(&workspace.target)?;
    let html = workspace.target.join("book");
    let mut build = Command::new(program);
    build.arg("build").arg(workspace.root.join(BOOK)).arg("--dest-dir").arg(&html);
    command::run(&mut build)?;
    Ok(html)
}

/// The program below `target`, installed there if it is not yet: in 100 s of processor time. It is
/// not optimised, which takes longer than it saves.
fn ensure(target: &Path) -> Result<PathBuf> {
    let folder = target.join(FOLDER);
    let program = folder.join("bin/mdbook");
    if is_installed(&program) {
        return Ok(program);
    }
    fs::create_dir_all(&folder)?;
    let objects = tempfile::Builder::new().prefix("build-").tempdir_in(&folder)?;
    let mut install = cargo();
    install.current_dir(&folder).env("CARGO_PROFILE_DEV_DEBUG", "0");
    install.args(["install", "mdbook", "--version", VERSION, "--locked", "--force", "--debug"]);
    install.args(["--quiet", "--no-default-features", "--no-track"]);
    install.arg("--root").arg(&folder).arg("--target-dir").arg(objects.path());
    // Not for the processor for which tests are built.
    install.env_remove("CARGO_BUILD_TARGET").env_remove("RUSTFLAGS");
    command::run(&mut install)?;
    is_installed(&program).then_some(program).context("Cargo has not installed mdBook")
}

/// Whether `program` is the wanted version.
fn is_installed(program: &Path) -> bool {
    let version = command::capture(Command::new(program).arg("--version"));
    version.is_ok_and(|version| version.trim() == format!("mdbook v{VERSION}"))
}
