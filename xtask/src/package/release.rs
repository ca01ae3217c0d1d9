//! The release that packages are made of: its version and its time.

use std::path::Path;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::Program;

/// A version of oxomp, at a time.
#[derive(Clone, Debug)]
pub(super) struct Release {
    /// MAJOR.MINOR.PATCH.
    pub(super) version: String,
    /// The time of the commit, in seconds since 1970: all files of packages have it, so that two
    /// builds of one commit do not differ by it.
    pub(super) epoch: u64,
}

impl Release {
    /// The one that is checked out.
    pub(super) fn of(workspace: &Workspace) -> Result<Self> {
        Ok(Self { version: workspace.version(), epoch: time_of_commit(&workspace.root)? })
    }

    /// The time as SPDX writes it: `2026-11-30T00:12:46Z`.
    pub(super) fn time(&self) -> Result<String> {
        let mut date = Program::Date.command();
        date.args(["--utc", "+%Y-%m-%dT%H:%M:%SZ"]).arg(format!("--date=@{}", self.epoch));
        Ok(command::capture(&mut date)?.trim().to_owned())
    }

    /// The name of what is made of it for a processor: `oxomp-0.1.0-x86_64-linux`.
    pub(super) fn name(&self, processor: &str) -> String {
        format!("oxomp-{}-{processor}-linux", self.version)
    }
}

fn time_of_commit(repository: &Path) -> Result<u64> {
    let mut log = Program::Git.command();
    log.current_dir(repository).args(["log", "-1", "--format=%ct"]);
    let time = command::capture(&mut log)?;
    time.trim().parse().context("`git log` names no time of the last commit")
}
