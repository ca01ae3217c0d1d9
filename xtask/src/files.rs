//! Files below a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The files below `folder` that `keep` accepts, sorted by path.
///
/// # Errors
///
/// A folder that cannot be read.
pub fn files_below(folder: &Path, keep: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if keep(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is a source of Rust, by its name.
#[must_use]
pub fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Whether a file is a source of C or C++, by its name.
#[must_use]
pub fn is_c(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["c", "cpp", "h", "inc"].contains(&extension))
}
