//! The sources of test programs: where they lie, and the names of their trials.

use std::fs;
use std::path::{Path, PathBuf};

/// A source below a folder of test programs: of a program, or of a part of one.
#[derive(Debug, Clone)]
pub struct TestFile {
    /// The path in its folder; for Fortran it begins with `fortran/`.
    pub name: String,
    /// The file.
    pub source: PathBuf,
}

impl TestFile {
    /// The text, which [`crate::directives::parse`] takes.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn text(&self) -> Result<String, String> {
        fs::read_to_string(&self.source).map_err(|error| format!("{}: {error}", self.name))
    }
}

/// The sources of the programs under `c` and `fortran` in the folder `tests`, sorted by path.
///
/// # Errors
///
/// A folder that cannot be read.
pub fn files(tests: &Path) -> Result<Vec<TestFile>, String> {
    let mut files = below(&tests.join("c"), "")?;
    files.extend(below(&tests.join("fortran"), "fortran/")?);
    Ok(files)
}

/// The sources below `folder`, sorted by path. Their names begin with `prefix`.
pub(crate) fn below(folder: &Path, prefix: &str) -> Result<Vec<TestFile>, String> {
    let mut sources = Vec::new();
    collect(folder, &mut sources)?;
    sources.sort();
    let named = sources.into_iter().map(|source| {
        let path = source.strip_prefix(folder).unwrap_or(&source);
        TestFile { name: format!("{prefix}{}", path.display()), source }
    });
    Ok(named.collect())
}

/// Adds the sources below `folder` to `sources`.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Result<(), String> {
    let said = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(said)? {
        let path = entry.map_err(said)?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if ["c", "cpp", "f90"].iter().any(|known| path.extension() == Some(known.as_ref())) {
            sources.push(path);
        }
    }
    Ok(())
}
