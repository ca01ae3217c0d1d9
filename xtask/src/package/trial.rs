//! The trial of the packages: the page of the book on installation, executed on bare machines.
//!
//! Each block of the kind `console,install` is one way to install oxomp, to profile a program, and
//! to remove oxomp again. A machine of its own executes it, and has the same files afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use oxomp_build::workspace::Workspace;
use oxomp_testing::book::{Block, Kind, blocks, commands};

use super::architecture::Architecture;
use super::bare::{Bare, HOME};

/// The page.
const PAGE: &str = "docs/src/install.md";

/// The folder with the programs that the page profiles.
const PROGRAMS: &str = "examples";

/// The way to install that takes the packages of a kind: a part of their names.
const WAYS: [(&str, &str); 3] =
    [("wheel", ".whl"), ("Debian packages", ".deb"), ("tarball", ".tar")];

/// Folders in which the system keeps books of each use of the machine.
const CHANGING: [&str; 8] = [
    "/dev/",
    "/proc/",
    "/sys/",
    "/tmp/",
    "/var/cache/",
    "/var/lib/apt/",
    "/var/lib/dpkg/",
    "/var/log/",
];

/// Tries each way for which `packages` has the files.
pub(super) fn run(
    workspace: &Workspace,
    folder: &Path,
    architecture: Architecture,
    packages: &[PathBuf],
) -> Result<()> {
    if architecture != Architecture::OWN && architecture.emulated().is_none() {
        eprintln!("xtask: no trial for {}: no emulator is known for it", architecture.name());
        return Ok(());
    }
    let page = fs::read_to_string(workspace.root.join(PAGE)).context(PAGE)?;
    let blocks = blocks(&page).map_err(|reason| anyhow!("{PAGE}: {reason}"))?;
    let ways = blocks.iter().filter(|block| block.kind == Kind::Install);
    let scripts: Vec<String> = ways.map(script).collect::<Result<_>>()?;
    for (way, suffix) in WAYS {
        let of_way = |path: &&PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().contains(suffix))
        };
        let files: Vec<&PathBuf> = packages.iter().filter(of_way).collect();
        if files.is_empty() {
            continue;
        }
        let script = scripts.iter().find(|script| script.contains(suffix));
        let script = script.with_context(|| format!("{PAGE} does not say how to use a {way}"))?;
        try_way(workspace, folder, architecture, &files, script)
            .with_context(|| format!("{way}, {}", architecture.name()))?;
    }
    Ok(())
}

fn try_way(
    workspace: &Workspace,
    folder: &Path,
    architecture: Architecture,
    files: &[&PathBuf],
    script: &str,
) -> Result<()> {
    let machine = Bare::new(folder, architecture)?;
    for entry in fs::read_dir(workspace.root.join(PROGRAMS)).context(PROGRAMS)? {
        machine.bring(&entry?.path())?;
    }
    for file in files {
        machine.bring(file)?;
    }
    let before = machine.files()?;
    let begin = Instant::now();
    machine.run(script)?;
    let seconds = begin.elapsed().as_secs_f64();
    let after = machine.files()?;
    let left: Vec<&String> = after.difference(&before).filter(|path| counts(path)).collect();
    if !left.is_empty() {
        bail!("these files are left after the removal: {left:?}");
    }
    let lost: Vec<&String> = before.difference(&after).filter(|path| counts(path)).collect();
    if !lost.is_empty() {
        bail!("these files of others are gone: {lost:?}");
    }
    eprintln!("xtask: installed, used and removed in {seconds:.1} s");
    Ok(())
}

/// Whether the page's commands may neither leave nor take away the file `path`. They work in their
/// home folder, in which oxomp is only in Python's environment, and the system keeps books.
fn counts(path: &str) -> bool {
    let is_below = |folder: &str| path.starts_with(folder);
    if is_below(&format!("/{HOME}/")) {
        return path.contains("/venv/") && path.contains("oxomp");
    }
    path.contains("oxomp") || !CHANGING.into_iter().any(is_below)
}

/// The commands of a block, each behind a line that shows it with the seconds since the beginning.
fn script(block: &Block) -> Result<String> {
    let mut script = "SECONDS=0; PS4='[$SECONDS s] '; set -x\n".to_owned();
    for command in commands(block).map_err(|reason| anyhow!("{PAGE}: {reason}"))? {
        script.push_str(&command.text);
        script.push('\n');
    }
    Ok(script)
}

#[cfg(test)]
mod tests {
    use oxomp_testing::book::{Block, Kind};

    #[test]
    fn books_of_the_system_may_change_but_not_have_files_of_oxomp() {
        for path in ["/root/solver", "/root/venv/bin/pip3", "/var/lib/dpkg/status-old"] {
            assert!(!super::counts(path), "{path}");
        }
        for path in
            ["/usr/lib/a.so", "/var/lib/dpkg/info/liboxomp.list", "/root/venv/share/man/oxomp.1"]
        {
            assert!(super::counts(path), "{path}");
        }
    }

    #[test]
    fn outputs_are_no_commands() {
        let text = "$ a \\\n  b\n1\n$ c\n$5\n".to_owned();
        let script =
            super::script(&Block { line: 1, kind: Kind::Install, text }).expect("commands");
        assert_eq!(script.lines().skip(1).collect::<Vec<_>>(), ["a \\", "  b", "c"]);
    }
}
