//! The interpreters of Python at hand: Debian's, and those that the user has besides.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use oxomp_prerequisites::File;
use oxomp_prerequisites::skipped::has_all;

/// The versions whose frames the collector reads.
const KNOWN: std::ops::RangeInclusive<u32> = 9..=13;

/// An interpreter of Python 3.
pub(crate) struct Interpreter {
    pub(crate) path: PathBuf,
    /// A name for its recordings.
    pub(crate) name: String,
    /// Its minor version.
    pub(crate) minor: u32,
}

/// Debian's interpreter, and one of each other version in `PATH` and among pyenv's. Empty, with a
/// message, without Debian's.
pub(crate) fn all() -> Vec<Interpreter> {
    if !has_all(&[File::DebianPython.into()]) {
        return Vec::new();
    }
    let debian = interpreter(File::DebianPython.path()).expect("Debian's interpreter runs");
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let home = PathBuf::from(env::var_os("HOME").unwrap_or_default());
    let pyenv = env::var_os("PYENV_ROOT").map_or_else(|| home.join(".pyenv"), PathBuf::from);
    let versions = pyenv.join("versions").read_dir().into_iter().flatten();
    folders.extend(versions.filter_map(|version| Some(version.ok()?.path().join("bin"))));
    let mut others = BTreeMap::new();
    for folder in &folders {
        for minor in KNOWN {
            let found = folder.join(format!("python3.{minor}"));
            let is_debians =
                found.canonicalize().ok() == File::DebianPython.path().canonicalize().ok();
            // pyenv has scripts in `PATH` that choose an interpreter.
            if found.is_file() && !folder.ends_with("shims") && !is_debians {
                others.entry(minor).or_insert(found);
            }
        }
    }
    let others = others.values().filter_map(|path| interpreter(path));
    [debian].into_iter().chain(others).filter(|one| KNOWN.contains(&one.minor)).collect()
}

fn interpreter(path: &Path) -> Option<Interpreter> {
    let script = "import ctypes, sys; print(sys.version_info[1])";
    let output = Command::new(path).args(["-c", script]).output().ok()?;
    let minor = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    let name = path.to_string_lossy().replace('/', "-");
    Some(Interpreter { path: path.to_owned(), name, minor })
}
