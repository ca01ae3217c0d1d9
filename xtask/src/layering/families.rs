//! The ABI families of `oxomp-abi`: each knows one kind of caller, and none knows another.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::Breach;
use super::source::arrows::arrows;
use super::source::tree::Tree;

/// The modules that know one family of compilers each, or the user's routines, or what tools and
/// debuggers look for.
const FAMILIES: [&str; 6] = ["kmpc", "gomp", "omp", "kmp", "ompt", "ompd"];

/// Checks the crate whose `src` folder is `source`.
///
/// # Errors
///
/// A file that is missing or not Rust.
pub fn check(source: &Path) -> Result<Vec<Breach>> {
    let tree = Tree::read(source)?;
    let family = |file: &str| {
        let first = file.split(['/', '.']).next();
        FAMILIES.iter().find(|family| first == Some(family))
    };
    let mut breaches = Vec::new();
    for arrow in arrows(&tree, &BTreeSet::new()) {
        let (from, to) = (&tree.files[arrow.from].name, &tree.files[arrow.to].name);
        if let (Some(user), Some(used)) = (family(from), family(to))
            && user != used
        {
            breaches.push(Breach {
                file: source.join(from),
                line: arrow.line,
                rule: format!(
                    "`{user}` may not use `{to}`: what both need belongs to the core or beside them"
                ),
            });
        }
    }
    Ok(breaches)
}
