//! `cargo xtask release`: from the changes since the last release to a tagged commit and packages.

use std::env;
use std::fs;
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

/// The files that name the version: the page has it in the manifest of a tool.
const MANIFEST: &str = "Cargo.toml";
const CHANGELOG: &str = "CHANGELOG.md";
const PAGE: &str = "docs/src/tools/rust.md";

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

/// Makes the release. After a trial of the packages that failed, the same command goes on from the
/// commit of the release, or from one with the mend.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let (old, new) = (workspace.version(), request.version.as_str());
    let git = |arguments: &[&str]| {
        command::capture(Program::Git.command().current_dir(&workspace.root).args(arguments))
    };
    let tag = format!("v{new}");
    let is_under_way = new == old && git(&["tag", "--list", &tag])?.is_empty();
    ensure!(is_under_way || numbers(new)? > numbers(&old)?, "{new} is no later version than {old}");
    let changed = git(&["status", "--porcelain"])?;
    ensure!(changed.is_empty(), "there are changes without a commit:\n{changed}");
    if !is_under_way {
        let files = with_next_version(workspace, &old, new)?;
        if request.dry_run {
            return show(workspace, &files);
        }
        for (name, text) in &files {
            fs::write(workspace.root.join(name), text).with_context(|| (*name).to_owned())?;
        }
        // Cargo.lock has the versions of our own packages, too.
        let mut update = cargo();
        update.current_dir(&workspace.root).args(["update", "--workspace", "--offline"]);
        command::run(&mut update)?;
        let body = format!("CHANGELOG.md says what is new since {old}.");
        git(&["commit", "--quiet", "--all", "-m", &format!("Release {new}"), "-m", &body])?;
    }
    if request.dry_run {
        println!("{new} has its commit; packages and the tag {tag} are to be made");
        return Ok(());
    }
    let mut packages = Command::new(env::current_exe()?);
    command::run(packages.args(["package", "--all"]))?;
    git(&["tag", "--annotate", &tag, "-m", &format!("oxomp {new}")])?;
    Ok(())
}

/// The files that name the version, each with its next text.
fn with_next_version(
    workspace: &Workspace,
    old: &str,
    new: &str,
) -> Result<[(&'static str, String); 3]> {
    let read =
        |name: &str| fs::read_to_string(workspace.root.join(name)).with_context(|| name.to_owned());
    let date = command::capture(Program::Date.command().args(["--utc", "+%Y-%m-%d"]))?;
    Ok([
        (MANIFEST, with_version(&read(MANIFEST)?, old, new)?),
        (CHANGELOG, with_release(&read(CHANGELOG)?, new, date.trim())?),
        (PAGE, with_dependency(&read(PAGE)?, old, new)?),
    ])
}

/// Shows how the files differ from what they would become.
fn show(workspace: &Workspace, files: &[(&str, String)]) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (name, text) in files {
        let next = folder.path().join(name.replace('/', "-"));
        fs::write(&next, text)?;
        let mut diff = Program::Git.command();
        diff.current_dir(&workspace.root).args(["diff", "--no-index", "--", name]).arg(next);
        // Its status is 1 if the files differ.
        command::status(&mut diff)?;
    }
    Ok(())
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

/// The page with a dependency on the SDK of the next version, as Cargo's requirement has it.
fn with_dependency(page: &str, old: &str, new: &str) -> Result<String> {
    let requirement = |version: &str| -> Result<String> {
        let [major, minor, _] = numbers(version)?;
        Ok(format!("ompt = \"{major}.{minor}\""))
    };
    let (old, new) = (requirement(old)?, requirement(new)?);
    ensure!(page.contains(&old), "{PAGE} has no {old}");
    Ok(page.replace(&old, &new))
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
    use super::{numbers, with_dependency, with_release, with_version};

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
    fn the_page_asks_for_the_new_crate() {
        let after = with_dependency("a\nompt = \"0.1\"\n", "0.1.3", "0.2.0").unwrap();
        assert_eq!(after, "a\nompt = \"0.2\"\n");
        assert!(with_dependency(&after, "0.1.3", "0.2.0").is_err());
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
