//! `cargo xtask release`: from the changes since the last release to a tagged commit and packages.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use oxomp_build::command;
use oxomp_build::workspace::{Workspace, cargo};
use oxomp_prerequisites::Program;

/// Shown under `cargo xtask release --help`.
pub const EXAMPLES: &str = "\
docs/src/releasing.md says what precedes and follows.

Examples:
  cargo xtask release 0.2.0             version, changelog, commit, tag, packages with their trials
  cargo xtask release 0.2.0 --dry-run   show what Cargo.toml and CHANGELOG.md would become";

/// The heading of the changes that no release has yet.
const UNRELEASED: &str = "## Unreleased\n";

/// What to release.
#[derive(Args, Debug)]
pub struct Request {
    /// MAJOR.MINOR.PATCH, later than the last one.
    version: String,
    /// Change nothing: show the differences.
    #[arg(long)]
    dry_run: bool,
}

/// Makes the release.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let (old, new) = (workspace.version(), request.version.as_str());
    ensure!(numbers(new)? > numbers(&old)?, "{new} is no later version than {old}");
    let git = |arguments: &[&str]| {
        command::capture(Program::Git.command().current_dir(&workspace.root).args(arguments))
    };
    let changed = git(&["status", "--porcelain"])?;
    ensure!(changed.is_empty(), "there are changes without a commit:\n{changed}");
    let date = command::capture(Program::Date.command().args(["--utc", "+%Y-%m-%d"]))?;

    let [manifest, changelog] =
        ["Cargo.toml", "CHANGELOG.md"].map(|name| workspace.root.join(name));
    let read = |path: &Path| fs::read_to_string(path).with_context(|| path.display().to_string());
    let versions = with_version(&read(&manifest)?, &old, new)?;
    let changes = with_release(&read(&changelog)?, new, date.trim())?;
    fs::write(&manifest, versions)?;
    fs::write(&changelog, changes)?;
    if request.dry_run {
        print!("{}", git(&["diff"])?);
        git(&["checkout", "--quiet", "Cargo.toml", "CHANGELOG.md"])?;
        return Ok(());
    }
    // Cargo.lock has the versions of our own packages, too.
    command::run(cargo().current_dir(&workspace.root).args([
        "update",
        "--workspace",
        "--offline",
    ]))?;
    git(&["add", "Cargo.toml", "Cargo.lock", "CHANGELOG.md"])?;
    let body = format!("CHANGELOG.md says what is new since {old}.");
    git(&["commit", "--quiet", "-m", &format!("Release {new}"), "-m", &body])?;
    git(&["tag", "--annotate", &format!("v{new}"), "-m", &format!("oxomp {new}")])?;
    let mut packages = Command::new(env::current_exe()?);
    command::run(packages.args(["package", "--all"]))
}

/// The numbers of a version.
fn numbers(version: &str) -> Result<[u32; 3]> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    parts
        .and_then(|parts| <[u32; 3]>::try_from(parts).ok())
        .with_context(|| format!("{version} is not MAJOR.MINOR.PATCH"))
}

/// The workspace's Cargo.toml with another version of our own packages.
fn with_version(manifest: &str, old: &str, new: &str) -> Result<String> {
    let [old, new] = [old, new].map(|version| format!("version = \"{version}\""));
    let is_own = |line: &str| line.starts_with("version = ") || line.contains("path = \"crates/");
    let mut changed = String::with_capacity(manifest.len());
    for line in manifest.lines() {
        let line = if is_own(line) { line.replace(&old, &new) } else { line.to_owned() };
        changed.push_str(&line);
        changed.push('\n');
    }
    if changed == manifest {
        bail!("Cargo.toml has no {old}");
    }
    Ok(changed)
}

/// The changelog in which the changes without a release are those of the new one.
fn with_release(changelog: &str, version: &str, date: &str) -> Result<String> {
    let (before, changes) =
        changelog.split_once(UNRELEASED).context("CHANGELOG.md has no heading `Unreleased`")?;
    let until_next = changes.split("\n## ").next().unwrap_or_default();
    ensure!(!until_next.trim().is_empty(), "CHANGELOG.md has no change since the last release");
    Ok(format!("{before}{UNRELEASED}\n## {version} ({date})\n{changes}"))
}

#[cfg(test)]
mod tests {
    use super::{numbers, with_release, with_version};

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        assert!(numbers("0.10.0").unwrap() > numbers("0.9.9").unwrap());
        assert!(numbers("1.0").is_err() && numbers("v1.0.0").is_err());
    }

    #[test]
    fn only_our_own_versions_change() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\n[workspace.dependencies]\n\
                        ompt = { path = \"crates/ompt\", version = \"0.1.0\" }\n\
                        other = { version = \"0.1.0\" }\n";
        let changed = with_version(manifest, "0.1.0", "0.2.0").unwrap();
        assert_eq!(changed.matches("\"0.2.0\"").count(), 2);
        assert!(changed.contains("other = { version = \"0.1.0\" }"));
        assert!(with_version(manifest, "0.3.0", "0.4.0").is_err());
    }

    #[test]
    fn the_changes_become_those_of_the_release() {
        let before = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0 (2026-11-30)\n\n- old\n";
        let after = with_release(before, "0.2.0", "2027-01-01").unwrap();
        let wanted = "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2027-01-01)\n\n- new\n\n\
                      ## 0.1.0 (2026-11-30)\n\n- old\n";
        assert_eq!(after, wanted);
        assert!(with_release(&after, "0.3.0", "2027-01-02").is_err());
    }
}
