//! `cargo xtask advise-check`: what `oxomp advise` predicts, and what the changed programs take.

use std::env;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::dist::{self, DistRequest, Profile};
use crate::workspace::Workspace;

const HEAD: &str = "\
| program | as it is | change | predicted | measured | off |
|---|---|---|---|---|---|";

/// Builds in release, runs the test of the advice, and prints its rows as a table.
///
/// # Errors
/// If the build fails, or a prediction that has to hold does not.
pub fn run(workspace: &Workspace) -> Result<()> {
    let built = dist::build(workspace, &DistRequest { profile: Profile::Release, out: None })?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(&workspace.root)
        .args(["test", "--quiet", "--release", "--package", "oxomp", "--test", "advise", "--"])
        .args(["--nocapture", "--test-threads", "1"])
        .env("OXOMP_BIN", built.command())
        .env("OXOMP_LIB", built.lib())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    println!("{HEAD}");
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines() {
        // The harness puts a dot before the first row of a test.
        if let Some(start) = line.find("| ") {
            println!("{}", &line[start..]);
        }
    }
    if !output.status.success() {
        bail!("a prediction did not hold:\n{text}");
    }
    Ok(())
}
