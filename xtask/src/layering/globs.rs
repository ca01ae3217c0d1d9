//! Imports by `*`, in tests too: they hide which names a file uses, and where these come from.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::breach::Breach;
use crate::files::{files_below, is_rust};

/// The folders of the repository that have sources of Rust.
const FOLDERS: [&str; 4] = ["crates", "examples", "tests", "xtask"];

/// Checks the sources below `root`, the folder of the repository.
///
/// # Errors
///
/// A file cannot be read.
pub fn check(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for folder in FOLDERS {
        for file in files_below(&root.join(folder), is_rust)? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            breaches.extend(globs(&text).into_iter().map(|line| Breach {
                file: file.clone(),
                line,
                rule: "a glob import hides what is used: name each item".to_owned(),
            }));
        }
    }
    Ok(breaches)
}

/// The lines, from 1, on which imports begin that have a `*`.
fn globs(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut begin = None;
    for (line, number) in text.lines().zip(1..) {
        let words = line.trim_start();
        if begin.is_none() && (words.starts_with("use ") || words.starts_with("pub use ")) {
            begin = Some(number);
        }
        let Some(first) = begin else { continue };
        let (import, ends) = words.split_once(';').map_or((words, false), |(it, _)| (it, true));
        if import.contains('*') {
            found.push(first);
        }
        if ends || import.contains('*') {
            begin = None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::globs;

    #[test]
    fn a_star_is_found_in_any_import() {
        let text = "use crate::os;\nuse crate::{\n    a::B,\n    c::*,\n};\nconst C: *const u8 = 0;\n\
                    mod tests {\n    use super::*;\n    pub use crate::a::{self, *}; // C\n}\n";
        assert_eq!(globs(text), [2, 8, 9]);
    }

    #[test]
    fn pointers_and_comments_are_no_imports() {
        let text = "use crate::a::B;\nfn f(p: *const u8) -> u8 {\n    *p\n}\n// use super::*;\n";
        assert_eq!(globs(text), [0_usize; 0]);
    }
}
