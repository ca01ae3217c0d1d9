//! `cargo xtask package`: the SDK's crates as they would be published.

use anyhow::{Result, bail};

use crate::command;
use crate::workspace::{Workspace, cargo};

/// The crates of the SDK, each after those it depends on.
const CRATES: [&str; 3] = ["oxomp-sys", "ompt-macros", "ompt"];

/// The files that each package contains beside its sources.
const CONTENTS: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Packs the crates, and builds each from its package; nothing is published. Cargo needs no
/// network for it once Cargo.lock's crates are fetched.
pub fn run(workspace: &Workspace) -> Result<()> {
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
    let mut package = cargo();
    package.current_dir(&workspace.root).args(["package", "--quiet", "--allow-dirty", "--offline"]);
    command::run(package.args(CRATES.map(|name| format!("--package={name}"))))
}
