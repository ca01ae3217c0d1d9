//! What tests compare the runtime and its outputs with: packages of PyPI and npm.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use oxomp_build::workspace::Workspace;

use crate::foreign::Target;
use crate::{consumers, iomp};

/// The variables by which tests find what they compare the runtime with, once they are known.
#[derive(Debug, Default)]
pub(crate) struct References(OnceLock<BTreeMap<&'static str, PathBuf>>);

impl References {
    /// The variables. The first call fetches what is not there yet, and others wait for it.
    pub(crate) fn of(&self, workspace: &Workspace) -> &BTreeMap<&'static str, PathBuf> {
        self.0.get_or_init(|| fetch(workspace))
    }
}

/// Fetches packages of others that are not here yet, and returns the variables by which tests find
/// them.
fn fetch(workspace: &Workspace) -> BTreeMap<&'static str, PathBuf> {
    let mut references = BTreeMap::new();
    if Target::of_environment().is_some() {
        // All of them are programs and libraries of this machine's processor.
        return references;
    }
    match iomp::ensure(&workspace.target) {
        Ok(library) => {
            references.insert("OXOMP_IOMP5", library);
        }
        Err(error) => {
            eprintln!("xtask: Intel's runtime is not there, tests leave it out: {error:#}");
        }
    }
    match consumers::ensure(&workspace.target) {
        Ok(installed) => {
            references.insert("OXOMP_CONSUMERS", installed);
        }
        Err(error) => {
            eprintln!("xtask: the outputs' consumers are not there, their tests skip: {error:#}");
        }
    }
    references
}
