//! The same packages once more, from another clone in another folder: do they have the same bytes?

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use oxomp_build::command;
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::Program;

use super::checksums;

/// Builds what `arguments` ask `cargo xtask package` for once more, in a folder below `folder`, and
/// compares it with what is in `out`.
pub(super) fn run(
    workspace: &Workspace,
    folder: &Path,
    out: &Path,
    arguments: &[String],
) -> Result<()> {
    let mut git = Program::Git.command();
    let changed =
        command::capture(git.current_dir(&workspace.root).args(["status", "--porcelain"]))?;
    ensure!(changed.is_empty(), "only a commit can be built twice, but these changed:\n{changed}");
    let clone = tempfile::Builder::new().prefix("twice-").tempdir_in(folder)?;
    let clone = clone.path().join("another-name-of-the-folder");
    let mut git = Program::Git.command();
    command::run(git.args(["clone", "--quiet"]).arg(&workspace.root).arg(&clone))?;
    let mut again = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    again.current_dir(&clone).args(["xtask", "package", "--no-install"]).args(arguments);
    again.env("CARGO_TARGET_DIR", clone.join("target"));
    command::run(&mut again)?;
    let sums = |out: &Path| {
        let file = out.join(checksums::FILE);
        fs::read_to_string(&file).with_context(|| file.display().to_string())
    };
    let (first, second) = (sums(out)?, sums(&clone.join("target/package/out"))?);
    let [lines, others] = [&first, &second].map(|sums| sums.lines().collect::<BTreeSet<&str>>());
    let differing: Vec<&str> = lines.symmetric_difference(&others).copied().collect();
    if !differing.is_empty() {
        bail!("the second build has other bytes:\n{}", differing.join("\n"));
    }
    eprintln!("xtask: the second build has the same bytes");
    Ok(())
}
