//! `cargo xtask matrix`: CONFORMANCE.md, which cannot claim more than the binary shows.
//!
//! The command reads the implemented symbols and events from the dynamic symbols of a freshly built
//! libomp.so and from its answers to a tool; it reads the tested ones from the objects that the
//! compilers make of the test programs, and from the events that these programs expect. The rules
//! of the 2015 report and their tests come from `tests/report_2015.tsv`. The functions of OMPD come
//! from libompd.so as built, and their tests from the sources of the tests.

mod coverage;
mod events;
mod family;
mod offload;
mod ompd;
mod page;
mod probe;
mod programs;
mod report_2015;
mod state;
mod trace;

use std::fs;

use anyhow::{Context, Result, bail};
use oxomp_build::dist::{self, DistRequest, Profile};
use oxomp_build::elf::SharedObject;
use oxomp_build::exports::{self, Reference};
use oxomp_build::workspace::Workspace;

use crate::packages;
use report_2015::Report;
use state::State;

const PAGE: &str = "CONFORMANCE.md";

/// Writes the page, or fails if `check` is set and the page is not what would be written.
pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    packages::ensure(true, &programs::prerequisites(), |_| true)?;
    let request = DistRequest { profile: Profile::Testing, out: None };
    let built = dist::build(workspace, &request)?;
    let runtime = SharedObject::read(&built.runtime())?;
    let references = exports::read(&workspace.root)?;
    let coverage = coverage::find(&workspace.root, &workspace.target)?;
    let disagreements = events::disagreements(coverage.events());
    if !disagreements.is_empty() {
        bail!("the table of events and the tests disagree:\n  {}", disagreements.join("\n  "));
    }
    let rules = report_2015::read(&workspace.root)?;
    let faults = report_2015::faults(&rules, &workspace.root);
    if !faults.is_empty() {
        bail!("the table of the 2015 report does not hold:\n  {}", faults.join("\n  "));
    }
    let answers = events::ask(&workspace.root, &built)?;
    let report = Report { rules, answers: report_2015::ask(&workspace.root, &built)? };
    let library = SharedObject::read(&built.lib().join("libompd.so"))?;
    let ompd = ompd::read(&workspace.root, &runtime, &library, &coverage)?;
    let state = |reference: &Reference| state(reference, &runtime);
    let text = page::render(&references, state, &coverage, &answers, &report, &ompd);

    let path = workspace.root.join(PAGE);
    if check {
        let present = fs::read_to_string(&path).unwrap_or_default();
        if let Some(difference) = first_difference(&present, &text) {
            bail!("{PAGE} is stale: run `cargo xtask matrix` and commit it\n{difference}");
        }
        println!("matrix: {PAGE} is what the runtime and its tests show");
        return Ok(());
    }
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

fn state(reference: &Reference, runtime: &SharedObject) -> State {
    let wanted = std::iter::once("VERSION").chain(reference.nodes.iter().map(String::as_str));
    let (mut bound, mut missing) = (false, false);
    for node in wanted {
        if runtime.exports(&reference.name, node) {
            bound = true;
        } else {
            missing = true;
        }
    }
    match (bound, missing) {
        (true, false) => State::Implemented,
        (true, true) => State::Partial,
        (false, _) => State::Absent,
    }
}

/// The first line in which two texts differ, shown from both; `None` if they are equal.
fn first_difference(present: &str, wanted: &str) -> Option<String> {
    let mut lines = (1..).zip(present.lines().map(Some).chain(std::iter::repeat(None)));
    let mut wanted = wanted.lines();
    loop {
        let (number, ours) = lines.next()?;
        let theirs = wanted.next();
        if ours.is_none() && theirs.is_none() {
            return None;
        }
        if ours != theirs {
            let show = |line: Option<&str>| line.unwrap_or("(end of the page)").to_owned();
            return Some(format!(
                "line {number}:\n  is     {}\n  wanted {}",
                show(ours),
                show(theirs)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Reference, SharedObject, State, first_difference, state};
    use oxomp_build::elf::Symbol;
    use oxomp_build::exports::Tier;

    fn runtime(bindings: &[(&str, &str)]) -> SharedObject {
        let exports: BTreeSet<Symbol> = bindings
            .iter()
            .map(|(name, node)| Symbol {
                name: (*name).to_owned(),
                node: Some((*node).to_owned()),
                default: *node == "VERSION",
                data: false,
                weak: false,
                size: 0,
            })
            .collect();
        SharedObject {
            soname: None,
            needed: Vec::new(),
            nodelete: true,
            nodes: BTreeSet::new(),
            exports,
            imports: BTreeSet::new(),
        }
    }

    #[test]
    fn a_symbol_counts_only_at_every_node() {
        let lock = Reference {
            name: "omp_set_lock".to_owned(),
            data: false,
            tier: Tier::Common,
            libomp: Some(19),
            libgomp: Some(12),
            nodes: vec!["OMP_1.0".to_owned(), "OMP_3.0".to_owned()],
        };
        let at = |nodes: &[&str]| {
            let bindings: Vec<_> = nodes.iter().map(|node| ("omp_set_lock", *node)).collect();
            state(&lock, &runtime(&bindings))
        };
        assert_eq!(at(&["VERSION", "OMP_1.0", "OMP_3.0"]), State::Implemented);
        assert_eq!(at(&["VERSION", "OMP_3.0"]), State::Partial);
        assert_eq!(at(&[]), State::Absent);
    }

    #[test]
    fn the_first_difference_is_shown() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        let shown = first_difference("a\nb\n", "a\nc\nd\n").expect("they differ");
        assert_eq!(shown, "line 2:\n  is     b\n  wanted c");
        assert!(
            first_difference("a\n", "a\nb\n").expect("they differ").contains("end of the page")
        );
    }
}
