//! `cargo xtask layering`: who may import whom, checked on Cargo.toml files and on sources.
//!
//! The rules are data: [`crates`] holds the arrows between crates, [`modules`] those inside
//! `oxomp-core` and between the ABI families of `oxomp-abi`. Every breach names file and line.

pub mod crates;
pub mod modules;
pub mod paths;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::workspace::Workspace;

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: usize,
    /// What stands there and which rule it breaks.
    pub rule: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.rule)
    }
}

/// Checks every rule and prints each breach.
pub fn run(workspace: &Workspace) -> Result<()> {
    let members = workspace.members();
    let mut breaches = crates::check(&members);
    breaches.extend(crates::check_budget(workspace));
    let crates_folder = workspace.root.join("crates");
    breaches.extend(modules::check_core(&crates_folder.join("oxomp-core/src"))?);
    breaches.extend(modules::check_abi(&crates_folder.join("oxomp-abi/src"))?);
    breaches.sort();
    if breaches.is_empty() {
        println!("layering: {} crates and their modules depend only as drawn", members.len());
        return Ok(());
    }
    for breach in &breaches {
        let file = breach.file.strip_prefix(&workspace.root).unwrap_or(&breach.file);
        eprintln!("{}", Breach { file: file.to_path_buf(), ..breach.clone() });
    }
    bail!("layering: {} broken rules", breaches.len());
}

/// The line of the first place where `path` has `text`, or 1.
fn line_of(path: &Path, text: &str) -> usize {
    let contents = std::fs::read_to_string(path).unwrap_or_default();
    contents.lines().position(|line| line.trim_start().starts_with(text)).map_or(1, |at| at + 1)
}
