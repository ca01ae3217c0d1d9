//! The book: the commands of each page of `docs/src`, and their outputs.
//!
//! Needs `OXOMP_BIN`, the command, as `cargo xtask test` sets it, and the page on Python
//! `OXOMP_PYTHON`, the folder of the module. `docs/README.md` describes the kinds of blocks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};
use oxomp_prerequisites::skipped::is_emulated;
use oxomp_testing::book::Page;
use oxomp_testing::trial::run_all;

fn main() -> ExitCode {
    run_all(|_| trials())
}

/// A trial for each page with commands.
fn trials() -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let (sources, examples) = (root.join("docs/src"), root.join("examples"));
    let command = std::env::var_os("OXOMP_BIN").map(PathBuf::from);
    let bin = command.as_deref().and_then(Path::parent).map(Path::to_owned);
    let mut trials = Vec::new();
    for path in pages(&sources)? {
        let text = fs::read_to_string(&path).map_err(|error| said(&path, &error))?;
        let name = path.with_extension("");
        let name = format!("book/{}", name.strip_prefix(&sources).unwrap_or(&name).display());
        let (examples, bin) = (examples.clone(), bin.clone());
        let page = Page::new(text, examples, bin.unwrap_or_default());
        let mut page = page.with_crates(root.join("crates"));
        if let Some(python) = std::env::var_os("OXOMP_PYTHON") {
            page = page.with_python(python.into());
        }
        // A page that cannot be read is a trial that fails.
        if page.has_commands().unwrap_or(true) {
            trials.push(Trial::test(name, move || check(&page)));
        }
    }
    Ok(trials)
}

fn check(page: &Page) -> Result<(), Failed> {
    if std::env::var_os("OXOMP_BIN").is_none() {
        return Err("OXOMP_BIN names no command: run `cargo xtask test`".into());
    }
    if is_emulated() {
        // The compilers that the pages name make programs for this machine's own processor.
        eprintln!("skipped: not in an emulator");
        return Ok(());
    }
    page.check().map_err(Failed::from)
}

/// The pages below `folder`, in the order of their names.
fn pages(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| said(folder, &error))? {
        let path = entry.map_err(|error| said(folder, &error))?.path();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn said(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
