//! `cargo xtask layering`: the arrows between crates and modules, checked on Cargo.toml files and
//! on sources.
//!
//! The rules are data: [`crates`] holds the arrows between crates, [`floors`] those between the
//! files of `oxomp-core`, [`families`] those inside `oxomp-abi`. A file of the core uses files of
//! its own room and of floors below. [`fork`] finds locks that the child of a fork(2) would wait
//! for. Every breach names file and line.
//!
//! What a file uses is read in [`source`]: paths are followed through imports and re-exports to the
//! file that defines the item, and a method call counts where its name alone tells the file.

pub mod core;
pub mod crates;
pub mod families;
pub mod floors;
pub mod fork;
pub mod report;
pub mod rules;
pub mod source;
pub mod stale;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use self::core::Core;
use crate::workspace::Workspace;

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: usize,
    /// The offending text, and the rule that it breaks.
    pub rule: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.rule)
    }
}

/// Examples for `cargo xtask layering --help`.
pub const EXAMPLES: &str = "\
Examples:
  cargo xtask layering              check; name each broken rule with file and line
  cargo xtask layering --verbose    also list the rooms of each floor and the files of each circle
  cargo xtask layering --arrows     list which file of the core uses which, for what; check nothing
  cargo xtask layering --arrows | grep ^[A-Z]      the arrows that break a rule

The floors, the pairs of neighbours and the exceptions are data: xtask/src/layering/floors.rs.";

/// What to print.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Request {
    /// List the rooms of each floor, with files and lines, and the files of each circle.
    #[arg(long, short)]
    pub verbose: bool,
    /// List each arrow inside the core (verdict, file:line, file used, names), and check nothing.
    #[arg(long, conflicts_with = "verbose")]
    pub arrows: bool,
}

/// The crates below `oxomp-core`, whose methods have names that tell nothing of the core's.
const BELOW_CORE: [&str; 3] = ["oxomp-sys", "oxomp-ompd-layout", "oxomp-protocol"];

/// Checks every rule and prints each breach.
pub fn run(workspace: &Workspace, request: Request) -> Result<()> {
    let crates_folder = workspace.root.join("crates");
    let source = crates_folder.join("oxomp-core/src");
    let others = BELOW_CORE.map(|name| crates_folder.join(name).join("src"));
    let core = Core::read(&source, &others, &floors::CORE)?;
    if request.arrows {
        report::print_arrows(&core);
        return Ok(());
    }
    if request.verbose {
        report::print_floors_and_circles(&core);
    }
    let members = workspace.members();
    let mut breaches = crates::check(&members);
    breaches.extend(crates::check_budget(workspace));
    breaches.extend(core.check());
    breaches.extend(families::check(&crates_folder.join("oxomp-abi/src"))?);
    breaches.extend(fork::check(&crates_folder)?);
    breaches.sort();
    let summary = format!("{} crates; {}", members.len(), report::summary(&core));
    if breaches.is_empty() {
        println!("layering: {summary}");
        return Ok(());
    }
    for breach in &breaches {
        let file = breach.file.strip_prefix(&workspace.root).unwrap_or(&breach.file);
        eprintln!("{}", Breach { file: file.to_path_buf(), ..breach.clone() });
    }
    bail!("layering: {} broken rules in {summary}", breaches.len());
}

/// The line of the first place where `path` has `text`, or 1.
fn line_of(path: &Path, text: &str) -> usize {
    let contents = std::fs::read_to_string(path).unwrap_or_default();
    contents.lines().position(|line| line.trim_start().starts_with(text)).map_or(1, |at| at + 1)
}
