//! `cargo xtask layering`: the arrows between crates and modules, checked on Cargo.toml files and
//! on sources.
//!
//! The rules are data: [`crates`] holds the arrows between crates, [`floors`] those between the
//! files of each crate: a file uses files of its own room and of floors below. [`fork`] finds locks
//! that the child of a fork(2) would wait for, [`globs`] imports by `*`, and [`processor`] code
//! outside of `oxomp-arch` that knows a processor. Every breach names file and line.
//!
//! What a file uses is read in [`source`]: paths are followed through imports and re-exports to the
//! file that defines the item, and a method call counts where its name alone tells the file.

pub mod breach;
pub mod crates;
pub mod floors;
pub mod fork;
pub mod globs;
pub mod inside;
pub mod processor;
pub mod report;
pub mod rules;
pub mod source;
pub mod stale;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use clap::Args;
use oxomp_build::workspace::{Member, Workspace};

use self::breach::Breach;
use self::inside::Inside;
use self::source::methods::times_defined;
use self::source::tree::Tree;

/// Examples for `cargo xtask layering --help`.
pub const EXAMPLES: &str = "\
Examples:
  cargo xtask layering              check; name each broken rule with file and line
  cargo xtask layering --verbose    also list the rooms of each floor and the files of each circle
  cargo xtask layering --arrows oxomp-core    list which file of a crate uses which, for what;
                                              check nothing
  cargo xtask layering --arrows oxomp-core | grep ^[A-Z]    the arrows that break a rule

The floors, the pairs of neighbours and the exceptions are data: xtask/src/layering/floors/.";

/// What to print.
#[derive(Args, Clone, Debug, Default)]
pub struct Request {
    /// List the rooms of each floor, with files and lines, and the files of each circle.
    #[arg(long, short)]
    pub verbose: bool,
    /// List each arrow inside this crate (verdict, file:line, file used, names), and check nothing.
    #[arg(long, value_name = "CRATE", conflicts_with = "verbose")]
    pub arrows: Option<String>,
}

/// Checks every rule and prints each breach.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let members = workspace.members();
    let insides = read(&members)?;
    if let Some(name) = &request.arrows {
        let Some(inside) = insides.iter().find(|inside| inside.of == *name) else {
            let names: Vec<&str> = insides.iter().map(|inside| inside.of.as_str()).collect();
            bail!("no crate is called {name}; the crates are {}", names.join(", "));
        };
        report::print_arrows(inside);
        return Ok(());
    }
    let mut breaches = crates::check(&members);
    breaches.extend(crates::check_budget(workspace));
    breaches.extend(fork::check(&workspace.root.join("crates"), &insides)?);
    breaches.extend(globs::check(&workspace.root)?);
    breaches.extend(processor::check(&workspace.root)?);
    for inside in &insides {
        if request.verbose {
            report::print_floors_and_circles(inside);
        }
        breaches.extend(inside.check());
    }
    breaches.sort();
    let summary = report::summary(&insides);
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

/// Reads every crate. The methods of crates that a crate may depend on have names that tell nothing
/// of its own.
fn read(members: &[Member]) -> Result<Vec<Inside>> {
    let trees: Vec<Tree> =
        members.iter().map(|member| Tree::read(&member.source())).collect::<Result<_>>()?;
    let names = |tree| times_defined(tree).into_keys().collect::<BTreeSet<String>>();
    let methods: BTreeMap<&str, BTreeSet<String>> =
        members.iter().zip(&trees).map(|(member, tree)| (&*member.name, names(tree))).collect();
    let inside = |(member, tree): (&Member, Tree)| {
        let below = crates::below(&member.name);
        let foreign = below.iter().filter_map(|name| methods.get(name)).flatten().cloned();
        let rules = floors::of(&member.name);
        Inside::new(&member.name, &member.source(), tree, &foreign.collect(), rules)
    };
    Ok(members.iter().zip(trees).map(inside).collect())
}
