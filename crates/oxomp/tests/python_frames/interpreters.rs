//! The interpreters of Python at hand: Debian's, and those that the user has besides.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use oxomp_prerequisites::File;
use oxomp_prerequisites::skipped::has_all;

/// The versions whose frames the collector reads, and the first one that can be built without its
/// lock.
const KNOWN: std::ops::RangeInclusive<u32> = 9..=15;
const FIRST_FREE_THREADED: u32 = 13;

/// A version of CPython.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    pub(crate) minor: u32,
    /// Built without its lock.
    pub(crate) is_free_threaded: bool,
}

/// An interpreter of Python 3.
pub(crate) struct Interpreter {
    pub(crate) path: PathBuf,
    /// A name for its recordings.
    pub(crate) name: String,
    pub(crate) version: Version,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "3.{}{}", self.minor, if self.is_free_threaded { "t" } else { "" })
    }
}

impl fmt::Display for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.path.display(), self.version)
    }
}

/// Debian's interpreter, and one of each other version in `PATH` and among pyenv's. Empty, with a
/// message, without Debian's. A message names the versions that are not at hand.
pub(crate) fn all() -> Vec<Interpreter> {
    if !has_all(&[File::DebianPython.into()]) {
        return Vec::new();
    }
    let debian = interpreter(File::DebianPython.path()).expect("Debian's interpreter runs");
    let mut found = BTreeMap::from([(debian.version, debian)]);
    for folder in folders() {
        for minor in KNOWN {
            for path in [format!("python3.{minor}"), format!("python3.{minor}t")] {
                let path = folder.join(path);
                if path.is_file()
                    && let Some(one) = interpreter(&path)
                {
                    found.entry(one.version).or_insert(one);
                }
            }
        }
    }
    let missing: Vec<String> = wanted()
        .filter(|version| !found.contains_key(version))
        .map(|one| one.to_string())
        .collect();
    if !missing.is_empty() {
        eprintln!("not tested, since not in PATH nor pyenv's: CPython {}", missing.join(", "));
    }
    found.into_values().filter(|one| KNOWN.contains(&one.version.minor)).collect()
}

fn wanted() -> impl Iterator<Item = Version> {
    KNOWN
        .flat_map(|minor| [false, true].map(|is_free_threaded| Version { minor, is_free_threaded }))
        .filter(|one| !one.is_free_threaded || one.minor >= FIRST_FREE_THREADED)
}

/// The folders of programs: those of `PATH`, and of pyenv's versions. pyenv also has scripts in
/// `PATH` that choose an interpreter.
fn folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let home = PathBuf::from(env::var_os("HOME").unwrap_or_default());
    let pyenv = env::var_os("PYENV_ROOT").map_or_else(|| home.join(".pyenv"), PathBuf::from);
    let versions = pyenv.join("versions").read_dir().into_iter().flatten();
    folders.extend(versions.filter_map(|version| Some(version.ok()?.path().join("bin"))));
    folders.retain(|folder| !folder.ends_with("shims"));
    folders
}

fn interpreter(path: &Path) -> Option<Interpreter> {
    let script = "import ctypes, sys, sysconfig\n\
                  print(sys.version_info[1], sysconfig.get_config_var('Py_GIL_DISABLED') or 0)";
    let output = Command::new(path).args(["-c", script]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (minor, is_free_threaded) = text.trim().split_once(' ')?;
    let version = Version { minor: minor.parse().ok()?, is_free_threaded: is_free_threaded != "0" };
    let name = path.to_string_lossy().replace('/', "-");
    Some(Interpreter { path: path.to_owned(), name, version })
}
